#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

void RequireRepresentation(const TensorInfo& reference, const std::string& reference_name,
                           const TensorInfo& info, const std::string& name, Refusal& refusal) {
  if (info.data_type != reference.data_type) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", name, " differs from ",
                GetDataTypeName(reference.data_type), " of ", reference_name,
                "; conversions are not supported");
  }
  if (!(info.quantization == reference.quantization)) {
    refusal.Add("the quantisation of ", name, " differs from that of ", reference_name,
                "; conversions are not supported");
  }
}

const char* DescribeRole(TensorRole role) {
  switch (role) {
    case TensorRole::kIndex:
      return "int32 or int64";
    case TensorRole::kInt64:
      return "int64";
    case TensorRole::kBool:
      return "bool";
    default:
      return "any";
  }
}

bool HasTypeOfRole(const TensorInfo& info, TensorRole role) {
  switch (role) {
    case TensorRole::kIndex:
      return info.data_type == DataType::kInt32 || info.data_type == DataType::kInt64;
    case TensorRole::kInt64:
      return info.data_type == DataType::kInt64;
    case TensorRole::kBool:
      return info.data_type == DataType::kBool;
    default:
      return true;
  }
}

void RequireTypeOfRole(const TensorInfo& info, TensorRole role, const std::string& name,
                       Refusal& refusal) {
  if (role == TensorRole::kValue || role == TensorRole::kOwn) return;
  const bool is_quantised = info.quantization.IsQuantized();
  if (HasTypeOfRole(info, role) && !is_quantised) return;
  refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
              " of ", name, " is not supported, only ", DescribeRole(role));
}

}  // namespace

std::string NameOutput(const Layer& layer, std::uint32_t index) {
  return layer.num_outputs == 1 ? "the output" : Text("output ", index);
}

std::string DescribeShape(const TensorShape& shape) {
  std::string text = "[";
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + "]";
}

void RequireTypesOfRoles(const Layer& layer, const TensorRoles& roles, Refusal& refusal) {
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    RequireTypeOfRole(layer.Input(index), roles.OfInput(index), Text("input ", index), refusal);
  }
  for (std::uint32_t index = 0; index < layer.num_outputs; ++index) {
    RequireTypeOfRole(layer.Output(index), roles.OfOutput(index), NameOutput(layer, index),
                      refusal);
  }
}

void RequireOneRepresentation(const Layer& layer, Refusal& refusal, const TensorRoles& roles) {
  RequireTypesOfRoles(layer, roles, refusal);
  const TensorInfo& output = layer.Output();
  const std::string name = NameOutput(layer, 0);
  if (GetDataTypeSizeBytes(output.data_type) == 0) {
    refusal.Add("data type ", GetDataTypeName(output.data_type), " (",
                static_cast<std::uint32_t>(output.data_type), ") of ", name,
                " is not supported, only those of the Backend API");
  }
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    if (roles.OfInput(index) != TensorRole::kValue) continue;
    RequireRepresentation(output, name, layer.Input(index), Text("input ", index), refusal);
  }
  for (std::uint32_t index = 1; index < layer.num_outputs; ++index) {
    if (roles.OfOutput(index) != TensorRole::kValue) continue;
    RequireRepresentation(output, name, layer.Output(index), NameOutput(layer, index), refusal);
  }
}

void RequireOutputShape(const Layer& layer, const TensorShape& expected, Refusal& refusal,
                        std::uint32_t index) {
  const TensorShape& found = layer.Output(index).shape;
  if (found == expected) return;
  refusal.Add(NameOutput(layer, index), " has shape ", DescribeShape(found),
              ", but the inputs give ", DescribeShape(expected));
}

void RequireOutputType(const Layer& layer, DataType wanted, Refusal& refusal) {
  const DataType found = layer.Output().data_type;
  if (found == wanted) return;
  refusal.Add("the output is ", GetDataTypeName(found), ", but the descriptor says ",
              GetDataTypeName(wanted));
}

void RequirePlainType(const TensorInfo& info, DataType wanted, const std::string& tensor,
                      Refusal& refusal) {
  const bool is_quantised = info.quantization.IsQuantized();
  if (info.data_type == wanted && !is_quantised) return;
  refusal.Add("data type ", is_quantised ? "quantised " : "", GetDataTypeName(info.data_type),
              " of ", tensor, " is not supported, only ", GetDataTypeName(wanted));
}

void RequireFloat32Output(const Layer& layer, std::uint32_t index, Refusal& refusal) {
  const TensorInfo& info = layer.Output(index);
  if (info.data_type == DataType::kFloat32 && !info.quantization.IsQuantized()) return;
  refusal.Add("data type ", GetDataTypeName(info.data_type), " of output ", index,
              " is not supported, only float32");
}

bool RequireAxis(const Layer& layer, std::uint32_t axis, Refusal& refusal) {
  const std::uint32_t rank = layer.Input(0).shape.rank;
  if (axis < rank) return true;
  refusal.Add("axis ", axis, " is outside of rank ", rank, " of input 0");
  return false;
}

void RequireFlag(const char* name, std::uint32_t value, Refusal& refusal) {
  if (value > 1) refusal.Add(name, " is ", value, ", but must be 0 or 1");
}

}  // namespace cpu_layers
}  // namespace backplane
