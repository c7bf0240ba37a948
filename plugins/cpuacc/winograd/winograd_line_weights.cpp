#include "winograd/winograd_line_weights.hpp"

#include "memory/aligned_memory.hpp"
#include "simd/winograd_functions.hpp"

namespace backplane {
namespace cpuacc {
namespace {

/// The factor of number `index` of a window at a point. The last point is infinity.
double GetFactor(std::int64_t point, std::int64_t index, std::int64_t window) {
  constexpr double kPoints[] = {0, 1, -1, 2, -2, 0.5, -0.5};
  constexpr double kScales[] = {1, -2.0 / 9, -2.0 / 9, 1.0 / 90, 1.0 / 90, 32.0 / 45, 32.0 / 45};
  if (point == kTilePoints - 1) return index == window - 1 ? 1.0 : 0.0;
  double factor = kScales[point];
  for (std::int64_t i = 0; i < index; ++i) factor *= kPoints[point];
  return factor;
}

}  // namespace

std::shared_ptr<const void> TransformWeights(const LineProblem& problem, const float* weights,
                                             const Threads& threads) {
  const std::int64_t padded = problem.CountPanels() * kPanelColumns;
  const auto count = static_cast<std::uint64_t>(kTilePoints * problem.inputs * padded);
  const std::shared_ptr<void> content = AllocateAligned(count * sizeof(float));
  auto* to = static_cast<float*>(content.get());
  for (std::int64_t point = 0; point < kTilePoints; ++point) {
    double factors[kTilePoints];
    for (std::int64_t i = 0; i < problem.window; ++i) {
      factors[i] = GetFactor(point, i, problem.window);
    }
    for (std::int64_t first = 0; first < padded; first += kPanelColumns) {
      threads.RequireTime();
      for (std::int64_t input = 0; input < problem.inputs; ++input) {
        for (std::int64_t o = first; o < first + kPanelColumns; ++o) {
          double sum = 0.0;
          const float* window = weights + (o * problem.inputs + input) * problem.window;
          for (std::int64_t i = 0; i < problem.window && o < problem.outputs; ++i) {
            sum += factors[i] * static_cast<double>(window[i]);
          }
          *to++ = static_cast<float>(sum);
        }
      }
    }
  }
  return content;
}

}  // namespace cpuacc
}  // namespace backplane
