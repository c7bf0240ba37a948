#include "graph/node.hpp"
#include "graph/operator_table.hpp"
#include "tensors/tensor_proto.hpp"

namespace backplane::onnx {
namespace {

TensorShape MakeListShape(std::size_t length) {
  return {static_cast<std::int64_t>(length)};
}

}  // namespace

void ConvertConstant(Node& node) {
  Attributes& attributes = node.GetAttributes();
  if (const auto* proto = attributes.FindTensor("value")) {
    const NamedTensor tensor = DecodeTensor(*proto, {DiagnosticCode::kInvalidModel,
                                                     {SubjectKind::kLayer, node.GetName()},
                                                     "the value of " + node.GetDescription()});
    return node.SetOutput(MakeConstant(tensor.info, tensor.data.data()));
  }
  if (const auto value = attributes.FindFloat("value_float")) {
    return node.SetOutput(MakeConstant({{}, DataType::kFloat32}, &*value));
  }
  if (const auto value = attributes.FindInt("value_int")) {
    return node.SetOutput(MakeConstant({{}, DataType::kInt64}, &*value));
  }
  if (const auto values = attributes.FindFloats("value_floats")) {
    return node.SetOutput(
        MakeConstant({MakeListShape(values->size()), DataType::kFloat32}, values->data()));
  }
  if (const auto values = attributes.FindInts("value_ints")) {
    return node.SetOutput(
        MakeConstant({MakeListShape(values->size()), DataType::kInt64}, values->data()));
  }
  attributes.RefuseUnread();  // strings and sparse tensors
  node.RefuseAsInvalid("it has no value");
}

}  // namespace backplane::onnx
