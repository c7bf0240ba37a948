#include "cpu_layers/moved_scales.hpp"

namespace backplane {
namespace cpu_layers {

void RequireMovedScales(const Layer& layer, Refusal& refusal, const FindNewAxis& find_new_axis,
                        std::uint32_t values, const TensorRoles& roles) {
  const QuantizationInfo& quantization = layer.Input(values).quantization;
  TensorInfo output = layer.Output();
  const TensorInfo* const outputs[] = {&output};
  Layer moved = layer;
  moved.outputs = outputs;
  if (quantization.IsPerAxis()) {
    const auto axis = find_new_axis(static_cast<std::uint32_t>(quantization.axis));
    if (!axis) {
      refusal.Add("input ", values, " is quantised along axis ", quantization.axis,
                  ", which does not stay as it is");
    } else if (output.quantization.axis == static_cast<std::int32_t>(*axis)) {
      output.quantization.axis = quantization.axis;
    }
  }
  RequireOneRepresentation(moved, refusal, roles);
}

}  // namespace cpu_layers
}  // namespace backplane
