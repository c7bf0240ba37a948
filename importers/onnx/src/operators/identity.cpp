#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertIdentity(Node& node) {
  node.SetOutput(node.GetAnyValue(0));
}

}  // namespace backplane::onnx
