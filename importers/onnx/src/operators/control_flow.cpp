#include "functions/inline_graph.hpp"
#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {

// The branch that is taken stands in its place; the other one is not looked at.
void ConvertIf(Node& node) {
  const Value& condition = node.GetValue(0);
  if (!condition.is_constant) node.WantValue(0, "condition");
  if (condition.info.data_type != DataType::kBool || condition.info.shape.GetNumElements() != 1) {
    node.RefuseAsInvalid("its condition is " + ToText(condition.info.shape) + " " +
                         GetDataTypeName(condition.info.data_type) + "; one bool is expected");
  }
  const ::onnx::GraphProto* then_branch = node.GetAttributes().FindGraph("then_branch");
  const ::onnx::GraphProto* else_branch = node.GetAttributes().FindGraph("else_branch");
  if (then_branch == nullptr || else_branch == nullptr) {
    node.RefuseAsInvalid("it lacks a branch; then_branch and else_branch are expected");
  }
  const bool is_true = *static_cast<const unsigned char*>(condition.data.get()) != 0;
  InlineBranch(node, is_true ? *then_branch : *else_branch);
}

}  // namespace backplane::onnx
