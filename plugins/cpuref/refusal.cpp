#include "refusal.hpp"

namespace backplane {
namespace cpuref {
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
                static_cast<std::uint32_t>(output.data_type),
                ") of the output is not supported, only those of the Backend API");
  }
  for (std::uint32_t index = 0; index < layer.num_inputs; ++index) {
    const TensorInfo& input = layer.Input(index);
    if (input.data_type != output.data_type) {
      refusal.Add("data type ", GetDataTypeName(input.data_type), " of input ", index,
                  " differs from ", GetDataTypeName(output.data_type),
                  " of the output; conversions are not supported");
    }
    if (!(input.quantization == output.quantization)) {
      refusal.Add("the quantisation of input ", index,
                  " differs from that of the output; conversions are not supported");
    }
  }
}

void RequireOutputShape(const Layer& layer, const TensorShape& expected, Refusal& refusal) {
  const TensorShape& found = layer.Output().shape;
  if (found == expected) return;
  refusal.Add("the output has shape ", DescribeShape(found), ", but the inputs give ",
              DescribeShape(expected));
}

void RequireFlag(const char* name, std::uint32_t value, Refusal& refusal) {
  if (value > 1) refusal.Add(name, " is ", value, ", but must be 0 or 1");
}

}  // namespace cpuref
}  // namespace backplane
