#include "cpu_layers/requantisation.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

bool AreInRange(DataType type, const std::vector<std::int32_t>& zero_points) {
  const std::int32_t least = type == DataType::kInt8 ? -128 : 0;
  for (const std::int32_t zero_point : zero_points) {
    if (zero_point < least || zero_point > least + 255) return false;
  }
  return true;
}

bool IsQuantisedByte(const TensorInfo& info) {
  return info.quantization.IsQuantized() && IsByte(info.data_type) &&
         AreInRange(info.data_type, info.quantization.zero_points);
}

bool HasOneScale(const TensorInfo& info) {
  return IsQuantisedByte(info) && !info.quantization.IsPerAxis();
}

float GetScale(const TensorInfo& info, std::size_t channel) {
  const std::vector<float>& scales = info.quantization.scales;
  return scales[scales.size() == 1 ? 0 : channel];
}

std::int32_t GetZeroPoint(const TensorInfo& info, std::size_t channel) {
  const std::vector<std::int32_t>& zero_points = info.quantization.zero_points;
  if (zero_points.empty()) return 0;
  return zero_points[zero_points.size() == 1 ? 0 : channel];
}

bool FitsBias(const Layer& layer) {
  const TensorInfo& bias = layer.Input(2);
  const QuantizationInfo& quantization = bias.quantization;
  if (bias.data_type != DataType::kInt32 || !quantization.IsQuantized()) return false;
  for (const std::int32_t zero_point : quantization.zero_points) {
    if (zero_point != 0) return false;
  }
  for (std::int64_t channel = 0; channel < bias.shape[0]; ++channel) {
    const auto index = static_cast<std::size_t>(channel);
    const float product = GetScale(layer.Input(0), 0) * GetScale(layer.Input(1), index);
    const float scale = GetScale(bias, index);
    if (scale < product || scale > product) return false;
  }
  return true;
}

}  // namespace

bool HasIntegerForm(const Layer& layer, std::uint32_t channel_axis) {
  const TensorInfo& second = layer.Input(1);
  if (!HasOneScale(layer.Input(0)) || !HasOneScale(layer.Output())) return false;
  if (!IsQuantisedByte(second)) return false;
  if (second.quantization.IsPerAxis() &&
      second.quantization.axis != static_cast<std::int32_t>(channel_axis)) {
    return false;
  }
  return layer.num_inputs < 3 || FitsBias(layer);
}

Requantisation MakeRequantisation(const Layer& layer, std::int64_t num_channels) {
  Requantisation requantisation;
  const float output_scale = GetScale(layer.Output(), 0);
  for (std::int64_t channel = 0; channel < num_channels; ++channel) {
    const auto index = static_cast<std::size_t>(channel);
    const float product = GetScale(layer.Input(0), 0) * GetScale(layer.Input(1), index);
    requantisation.multipliers.push_back(product / output_scale);
    requantisation.zero_points.push_back(GetZeroPoint(layer.Input(1), index));
  }
  requantisation.input_zero_point = GetZeroPoint(layer.Input(0), 0);
  requantisation.output_zero_point = GetZeroPoint(layer.Output(), 0);
  return requantisation;
}

}  // namespace cpu_layers
}  // namespace backplane
