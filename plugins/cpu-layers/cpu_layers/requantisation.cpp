#include "cpu_layers/requantisation.hpp"

#include "cpu_layers/scales.hpp"

namespace backplane {
namespace cpu_layers {
namespace {

bool FitsBias(const Layer& layer) {
  const TensorInfo& bias = layer.Input(2);
  const QuantizationInfo& quantization = bias.quantization;
  if (bias.data_type != DataType::kInt32 || !quantization.IsQuantized()) return false;
  for (const std::int32_t zero_point : quantization.zero_points) {
    if (zero_point != 0) return false;
  }
  for (std::int64_t channel = 0; channel < bias.shape[0]; ++channel) {
    const auto index = static_cast<std::size_t>(channel);
    const float product = GetScale(layer.Input(0)) * GetScale(layer.Input(1), index);
    const float scale = GetScale(bias, index);
    if (scale < product || scale > product) return false;
  }
  return true;
}

}  // namespace

bool HasIntegerForm(const Layer& layer, std::uint32_t channel_axis) {
  const TensorInfo& second = layer.Input(1);
  if (!IsByteWithOneScale(layer.Input(0)) || !IsByteWithOneScale(layer.Output())) return false;
  if (!IsQuantisedByte(second)) return false;
  if (second.quantization.IsPerAxis() &&
      second.quantization.axis != static_cast<std::int32_t>(channel_axis)) {
    return false;
  }
  return layer.num_inputs < 3 || FitsBias(layer);
}

Requantisation MakeRequantisation(const Layer& layer, std::int64_t num_channels) {
  Requantisation requantisation;
  const bool is_requantised = layer.Output().quantization.IsQuantized();
  const float output_scale = is_requantised ? GetScale(layer.Output()) : 1.0F;
  for (std::int64_t channel = 0; channel < num_channels; ++channel) {
    const auto index = static_cast<std::size_t>(channel);
    const float product = GetScale(layer.Input(0)) * GetScale(layer.Input(1), index);
    requantisation.multipliers.push_back(product / output_scale);
    requantisation.zero_points.push_back(GetZeroPoint(layer.Input(1), index));
  }
  requantisation.input_zero_point = GetZeroPoint(layer.Input(0));
  requantisation.output_zero_point = GetZeroPoint(layer.Output());
  return requantisation;
}

}  // namespace cpu_layers
}  // namespace backplane
