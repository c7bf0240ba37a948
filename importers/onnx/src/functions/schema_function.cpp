#include "functions/schema_function.hpp"

#include "nodes/node.hpp"
#include "nodes/operator_sets.hpp"
#include "tensors/data_types.hpp"

#include <exception>
#include <vector>

namespace backplane::onnx {
namespace {

using ::onnx::OpSchema;

::onnx::TypeProto MakeType(const TensorInfo& info) {
  ::onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(ToOnnxType(info.data_type));
  auto* shape = type.mutable_tensor_type()->mutable_shape();
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    shape->add_dim()->set_dim_value(info.shape[axis]);
  }
  return type;
}

// The node with nothing that has to be looked up elsewhere, and the types of its inputs.
std::optional<::onnx::FunctionProto> BuildForNode(Node& node, const OpSchema& schema) {
  ::onnx::NodeProto call = node.GetProto();
  call.clear_attribute();
  for (const auto& [name, attribute] : node.GetAttributes().GetAll()) {
    *call.add_attribute() = *attribute;
    call.mutable_attribute(call.attribute_size() - 1)->set_name(name);
  }
  std::vector<::onnx::TypeProto> types(node.GetNumInputs());
  for (std::size_t index = 0; index < types.size(); ++index) {
    if (node.HasInput(index)) {
      types[index] = MakeType(node.GetInputInfo(index));
    } else {
      call.set_input(static_cast<int>(index), "");
    }
  }
  const ::onnx::FunctionBodyBuildContextImpl context(call, types);
  ::onnx::FunctionProto function;
  try {
    if (!schema.BuildContextDependentFunction(context, function)) return {};
  } catch (const std::exception& exception) {
    node.RefuseAsInvalid(exception.what());
  }
  return function;
}

}  // namespace

bool HasSchemaFunction(const std::string& domain, const std::string& op_type, std::int64_t opset) {
  const OpSchema* schema = FindSchema(domain, op_type, opset);
  return schema != nullptr && (schema->HasFunction() || schema->HasContextDependentFunction());
}

std::optional<SchemaFunction> FindSchemaFunction(Node& node) {
  const ::onnx::NodeProto& proto = node.GetProto();
  const OpSchema* schema =
      FindSchema(NormaliseDomain(proto.domain()), proto.op_type(), node.GetOpset());
  if (schema == nullptr) return {};
  SchemaFunction result;
  if (schema->HasFunction()) {
    result.function = *schema->GetFunction();
  } else if (schema->HasContextDependentFunction()) {
    auto built = BuildForNode(node, *schema);
    if (!built) return {};
    result.function = std::move(*built);
  } else {
    return {};
  }
  result.attributes = node.GetAttributes().GetAll();
  for (const auto& [name, attribute] : schema->attributes()) {
    if (attribute.default_value.has_name())
      result.attributes.emplace(name, &attribute.default_value);
  }
  return result;
}

}  // namespace backplane::onnx
