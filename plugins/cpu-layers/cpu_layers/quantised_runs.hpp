#pragma once

#include <backplane/api/tensor_info.hpp>

#include <cstdint>

namespace backplane {
namespace cpu_layers {

/// Neighbouring elements with one scale and zero point.
struct QuantisedRun {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  float scale = 1.0F;
  std::int32_t zero_point = 0;
};

/// Calls visit(QuantisedRun) for the runs of a quantised tensor, whose scales fit its shape.
template <typename Visit>
void VisitQuantisedRuns(const TensorInfo& info, Visit&& visit) {
  const QuantizationInfo& quantization = info.quantization;
  const std::int64_t num_elements = info.shape.GetNumElements();
  QuantisedRun run;
  run.count = num_elements;
  if (quantization.IsPerAxis()) {
    run.count = 1;
    for (auto axis = static_cast<std::uint32_t>(quantization.axis) + 1; axis < info.shape.rank;
         ++axis) {
      run.count *= info.shape[axis];
    }
  }
  for (std::size_t index = 0; run.begin < num_elements; run.begin += run.count, ++index) {
    const std::size_t channel = index % quantization.scales.size();
    run.scale = quantization.scales[channel];
    run.zero_point = quantization.zero_points.empty() ? 0 : quantization.zero_points[channel];
    visit(run);
  }
}

}  // namespace cpu_layers
}  // namespace backplane
