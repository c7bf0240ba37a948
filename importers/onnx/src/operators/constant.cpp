#include "nodes/i_graph_import.hpp"
#include "nodes/node.hpp"
#include "operators/operator_table.hpp"
#include "values/tensor_reader.hpp"

namespace backplane::onnx {
namespace {

TensorShape MakeListShape(std::size_t length) {
  return {static_cast<std::int64_t>(length)};
}

}  // namespace

void ConvertConstant(Node& node) {
  Attributes& attributes = node.GetAttributes();
  Scope& scope = node.GetScope();
  const TensorOrigin origin = {DiagnosticCode::kInvalidModel,
                               {SubjectKind::kLayer, node.GetName()},
                               "the value of " + node.GetDescription()};
  if (const auto* proto = attributes.FindTensor("value")) {
    return node.SetOutput(scope.import.GetReader().Read(*proto, origin, scope.owner));
  }
  if (const auto* proto = attributes.FindSparseTensor("sparse_value")) {
    return node.SetOutput(scope.import.GetReader().ReadSparse(*proto, origin));
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
  attributes.RefuseUnread();  // strings
  node.RefuseAsInvalid("it has no value");
}

}  // namespace backplane::onnx
