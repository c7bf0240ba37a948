#include "cpu_layers/pooling_window.hpp"

namespace backplane {
namespace cpu_layers {

void RequireRounding(OutputRounding rounding, Refusal& refusal) {
  if (rounding == OutputRounding::kFloor || rounding == OutputRounding::kCeiling) return;
  refusal.Add("output rounding ", static_cast<std::uint32_t>(rounding),
              " is not supported, only Floor (1) and Ceiling (2)");
}

void RequirePooledShape(const Layer& layer, const Window& window, std::uint32_t spatial_rank,
                        OutputRounding rounding, Refusal& refusal) {
  const TensorShape& input = layer.Input(0).shape;
  TensorShape expected = {input[0], input[1]};
  for (std::uint32_t i = kMaxSpatialRank - spatial_rank; i < kMaxSpatialRank; ++i) {
    const WindowAxis& axis = window[i];
    const std::int64_t whole = CountWholeWindows(axis);
    const std::int64_t most =
        rounding == OutputRounding::kCeiling ? CountStartedWindows(axis) : whole;
    expected.Append(axis.output >= whole && axis.output <= most ? axis.output : most);
  }
  for (std::uint32_t i = 0; i < layer.num_outputs; ++i) {
    RequireOutputShape(layer, expected, refusal, i);
  }
}

}  // namespace cpu_layers
}  // namespace backplane
