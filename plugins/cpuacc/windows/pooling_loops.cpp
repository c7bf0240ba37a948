#include "windows/pooling_loops.hpp"

#include "threads/parallel.hpp"
#include "windows/covered_window.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::Window;
using cpu_layers::WindowAxis;

constexpr std::int64_t kGrainElements = 16 * 1024;

template <typename Element>
class PoolingLoops : public Kernel {
 public:
  PoolingLoops(const PoolingDescriptor& pooling, const Window& window, std::int64_t num_planes)
      : pooling_(pooling), window_(window), num_planes_(num_planes) {}

  void Run(const KernelRun& run) const override {
    const std::int64_t rows = window_[0].output * window_[1].output;
    if (rows * window_[2].output == 0) return;
    const std::int64_t grain = kGrainElements / CountReadsOfRow() + 1;
    ParallelFor(run.threads, num_planes_ * rows, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) MakeRow(run, row);
    });
  }

 private:
  /// At least 1, and so few that nothing overflows: windows may be much larger than the input.
  std::int64_t CountReadsOfRow() const {
    std::int64_t count = std::min(window_[2].output, kGrainElements);
    for (const WindowAxis& axis : window_) {
      count *= std::clamp<std::int64_t>(axis.input, 1, std::min(axis.kernel, kGrainElements));
    }
    return count;
  }

  void MakeRow(const KernelRun& run, std::int64_t row) const {
    const std::int64_t rows = window_[0].output * window_[1].output;
    const Element* plane =
        run.Input<Element>(0) + row / rows * window_[0].input * window_[1].input * window_[2].input;
    Element* output = run.Output<Element>() + row * window_[2].output;
    const std::int64_t in_plane = row % rows;
    const auto find = [&](std::uint32_t axis, std::int64_t index) {
      return FindCovered(window_[axis], index, pooling_.padding_in_average);
    };
    CoveredBox place = {
        find(0, in_plane / window_[1].output), find(1, in_plane % window_[1].output), {}};
    for (std::int64_t w = 0; w < window_[2].output; ++w) {
      place[2] = find(2, w);
      output[w] = Reduce(plane, place);
    }
  }

  Element Reduce(const Element* plane, const CoveredBox& place) const {
    using Limits = std::numeric_limits<Element>;
    if constexpr (!std::is_floating_point<Element>::value) {
      return Fold(plane, place, Limits::lowest(),
                  [](Element a, Element b) { return std::max(a, b); });
    } else if (pooling_.method == PoolingMethod::kMax) {
      return Fold(plane, place, -Limits::infinity(),
                  [](float a, float b) { return b > a || std::isnan(b) ? b : a; });
    } else if (pooling_.method == PoolingMethod::kAverage) {
      const double count = CountElements(place);
      const float sum = Fold(plane, place, 0.0F, [](float a, float b) { return a + b; });
      return count > 0 ? sum / static_cast<float>(count) : 0.0F;
    } else {
      return FindNorm(plane, place);
    }
  }

  float FindNorm(const Element* plane, const CoveredBox& place) const {
    const float p = pooling_.p;
    if (p == 2.0F) {
      return std::sqrt(Fold(plane, place, 0.0F, [](float a, float b) { return a + b * b; }));
    }
    const float sum =
        Fold(plane, place, 0.0F, [p](float a, float b) { return a + std::pow(std::fabs(b), p); });
    return std::pow(sum, 1.0F / p);
  }

  template <typename Combine>
  Element Fold(const Element* plane, const CoveredBox& place, Element result,
               Combine combine) const {
    const WindowAxis& height = window_[1];
    const WindowAxis& width = window_[2];
    for (std::int64_t d = 0; d < place[0].count; ++d) {
      const std::int64_t depth = place[0].first + d * window_[0].dilation;
      for (std::int64_t h = 0; h < place[1].count; ++h) {
        const std::int64_t row = depth * height.input + place[1].first + h * height.dilation;
        const Element* line = plane + row * width.input + place[2].first;
        for (std::int64_t w = 0; w < place[2].count; ++w) {
          result = combine(result, line[w * width.dilation]);
        }
      }
    }
    return result;
  }

  PoolingDescriptor pooling_;
  Window window_;
  std::int64_t num_planes_;
};

}  // namespace

std::unique_ptr<const Kernel> MakePoolingLoops(const PoolingDescriptor& pooling,
                                               const Window& window, std::int64_t num_planes,
                                               DataType type) {
  switch (type) {
    case DataType::kInt8:
      return std::make_unique<PoolingLoops<std::int8_t>>(pooling, window, num_planes);
    case DataType::kUInt8:
      return std::make_unique<PoolingLoops<std::uint8_t>>(pooling, window, num_planes);
    default:
      return std::make_unique<PoolingLoops<float>>(pooling, window, num_planes);
  }
}

}  // namespace cpuacc
}  // namespace backplane
