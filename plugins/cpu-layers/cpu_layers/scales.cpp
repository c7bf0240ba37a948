#include "cpu_layers/scales.hpp"

#include <algorithm>

namespace backplane {
namespace cpu_layers {

void RequireScalesThatFit(const TensorInfo& info, const std::string& tensor, Refusal& refusal) {
  const QuantizationInfo& quantization = info.quantization;
  if (!quantization.zero_points.empty() &&
      quantization.zero_points.size() != quantization.scales.size()) {
    refusal.Add(tensor, " has ", quantization.scales.size(), " scales, but ",
                quantization.zero_points.size(), " zero points");
  }
  if (!quantization.IsPerAxis()) return;
  const auto axis = static_cast<std::uint32_t>(quantization.axis);
  if (axis < info.shape.rank &&
      info.shape[axis] == static_cast<std::int64_t>(quantization.scales.size())) {
    return;
  }
  refusal.Add(tensor, " has ", quantization.scales.size(), " scales along axis ", quantization.axis,
              ", which do not fit the shape ", DescribeShape(info.shape));
}

void RequireDynamicQuantize(const Layer& layer, Refusal& refusal) {
  RequirePlainType(layer.Input(0), DataType::kFloat32, "input 0", refusal);
  RequirePlainType(layer.Output(0), DataType::kUInt8, "output 0", refusal);
  RequirePlainType(layer.Output(1), DataType::kFloat32, "output 1", refusal);
  RequirePlainType(layer.Output(2), DataType::kUInt8, "output 2", refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal, 0);
  RequireOutputShape(layer, {}, refusal, 1);
  RequireOutputShape(layer, {}, refusal, 2);
}

bool IsQuantisedByte(const TensorInfo& info) {
  if (!info.quantization.IsQuantized() || !IsByte(info.data_type)) return false;
  const std::int32_t least = info.data_type == DataType::kInt8 ? -128 : 0;
  const SharedVector<std::int32_t>& zero_points = info.quantization.zero_points;
  return std::all_of(zero_points.begin(), zero_points.end(), [least](std::int32_t zero_point) {
    return zero_point >= least && zero_point <= least + 255;
  });
}

bool IsByteWithOneScale(const TensorInfo& info) {
  return IsQuantisedByte(info) && !info.quantization.IsPerAxis();
}

float GetScale(const TensorInfo& info, std::size_t channel) {
  const SharedVector<float>& scales = info.quantization.scales;
  return scales[scales.size() == 1 ? 0 : channel];
}

std::int32_t GetZeroPoint(const TensorInfo& info, std::size_t channel) {
  const SharedVector<std::int32_t>& zero_points = info.quantization.zero_points;
  if (zero_points.empty()) return 0;
  return zero_points[zero_points.size() == 1 ? 0 : channel];
}

}  // namespace cpu_layers
}  // namespace backplane
