#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {

void ConvertIdentity(Node& node) {
  node.ForwardInput(0);
}

}  // namespace backplane::onnx
