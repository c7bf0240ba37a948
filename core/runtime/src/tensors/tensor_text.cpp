#include "tensors/tensor_text.hpp"

namespace backplane {

std::string DescribeShape(const TensorShape& shape) {
  std::string text = "[";
  for (std::uint32_t axis = 0; axis < shape.rank && axis < kMaxRank; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape.dims[axis]);
  }
  return text + "]";
}

std::string DescribeTensor(const TensorInfo& info) {
  std::string text = GetDataTypeName(info.data_type);
  if (info.quantization.IsQuantized()) text = "quantized " + text;
  return text + " " + DescribeShape(info.shape);
}

std::string DescribeTensors(const std::vector<const TensorInfo*>& infos) {
  if (infos.empty()) return "none";
  std::string text;
  for (const TensorInfo* info : infos) {
    if (!text.empty()) text += ", ";
    text += DescribeTensor(*info);
  }
  return text;
}

}  // namespace backplane
