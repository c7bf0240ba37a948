#include "refusal.hpp"

namespace backplane {
namespace cpuref {
namespace {

std::string NameOutput(const Layer& layer, std::uint32_t index) {
  return layer.num_outputs == 1 ? "the output" : Text("output ", index);
}

void RequireRepresentation(const Layer& layer, const TensorInfo& info, const std::string& name,
                           Refusal& refusal) {
  const TensorInfo& output = layer.Output();
  if (info.data_type != output.data_type) {
    refusal.Add("data type ", GetDataTypeName(info.data_type), " of ", name, " differs from ",
                GetDataTypeName(output.data_type), " of ", NameOutput(layer, 0),
                "; conversions are not supported");
  }
  if (!(info.quantization == output.quantization)) {
    refusal.Add("the quantisation of ", name, " differs from that of ", NameOutput(layer, 0),
                "; conversions are not supported");
  }
}

}  // namespace

std::string DescribeShape(const TensorShape& shape) {
  std::string text = "[";
  for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
    text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  }
  return text + "]";
}

void RequireOneRepresentation(const Layer& layer, Refusal& refusal) {
  const TensorInfo& output = layer.Output();
  if (GetDataTypeSizeBytes(output.data_type) == 0) {
    refusal.Add("data type ", GetDataTypeName(output.data_type), " (",
                static_cast<std::uint32_t>(output.data_type), ") of ", NameOutput(layer, 0),
                " is not supported, only those of the Backend API");
  }
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    RequireRepresentation(layer, layer.Input(index), Text("input ", index), refusal);
  }
  for (std::uint32_t index = 1; index < layer.num_outputs; ++index) {
    RequireRepresentation(layer, layer.Output(index), NameOutput(layer, index), refusal);
  }
}

void RequireOutputShape(const Layer& layer, const TensorShape& expected, Refusal& refusal,
                        std::uint32_t index) {
  const TensorShape& found = layer.Output(index).shape;
  if (found == expected) return;
  refusal.Add(NameOutput(layer, index), " has shape ", DescribeShape(found),
              ", but the inputs give ", DescribeShape(expected));
}

void RequireFlag(const char* name, std::uint32_t value, Refusal& refusal) {
  if (value > 1) refusal.Add(name, " is ", value, ", but must be 0 or 1");
}

}  // namespace cpuref
}  // namespace backplane
