#include "quantised/window_correction.hpp"

#include "memory/aligned_memory.hpp"
#include "quantised/byte_geometry.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuacc {
namespace {

/// The sum of (x - zx) * (w - zw) under a window is that of (x - zx) * w less zw times the sum of
/// x - zx, which is the same for all filters of a group.
class WindowCorrection : public Kernel {
 public:
  WindowCorrection(const KernelMaker& maker, const ConvolutionDims& dims,
                   const ZeroPointInputs& zero_points)
      : geometry_(dims),
        type_(maker.GetInput(0).info.data_type),
        zero_points_(zero_points),
        num_places_(CountPlaces(geometry_, &ByteAxis::input)),
        num_results_(CountPlaces(geometry_, &ByteAxis::output)) {}

  std::uint64_t GetScratchBytes() const override {
    return GetZeroPointBytes() +
           static_cast<std::uint64_t>(num_places_ * geometry_.groups) * sizeof(std::int32_t);
  }

  void Run(const KernelRun& run) const override {
    auto* zero_points = run.GetScratch<std::int32_t>();
    for (std::int64_t i = 0; i < CountFilters(); ++i) {
      zero_points[i] = zero_points_.weights.Read(run, i);
    }
    auto* sums =
        reinterpret_cast<std::int32_t*>(run.GetScratch<unsigned char>() + GetZeroPointBytes());
    constexpr std::int64_t kWorthAThread = 32768;
    ParallelFor(run.threads, num_places_,
                kWorthAThread / (geometry_.groups * geometry_.channels) + 1,
                [&](std::int64_t begin, std::int64_t end) { AddUpPlaces(run, begin, end, sums); });
    ParallelFor(run.threads, num_results_, kWorthAThread / CountFilters() + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t place = begin; place < end; ++place) {
                    Correct(sums, zero_points, place, run.Output<std::int32_t>());
                  }
                });
  }

 private:
  static std::int64_t CountPlaces(const ByteGeometry& geometry, std::int64_t ByteAxis::*extent) {
    std::int64_t count = geometry.images;
    for (const ByteAxis& axis : geometry.axes) count *= axis.*extent;
    return count;
  }

  std::int64_t CountFilters() const { return geometry_.groups * geometry_.filters; }
  std::uint64_t GetZeroPointBytes() const {
    return RoundUp(static_cast<std::uint64_t>(CountFilters()) * sizeof(std::int32_t));
  }

  /// Of each group of channels, less the zero point of the elements.
  void AddUpPlaces(const KernelRun& run, std::int64_t begin, std::int64_t end,
                   std::int32_t* sums) const {
    const auto less =
        static_cast<std::int32_t>(geometry_.channels) * zero_points_.elements.Read(run, 0);
    VisitBytes(type_, run.inputs[0], [&](const auto* bytes) {
      for (std::int64_t i = begin * geometry_.groups; i < end * geometry_.groups; ++i) {
        std::int32_t sum = 0;
        for (std::int64_t k = 0; k < geometry_.channels; ++k) {
          sum += bytes[i * geometry_.channels + k];
        }
        sums[i] = sum - less;
      }
    });
  }

  void Correct(const std::int32_t* sums, const std::int32_t* zero_points, std::int64_t place,
               std::int32_t* output) const {
    for (std::int64_t group = 0; group < geometry_.groups; ++group) {
      const std::int64_t first = group * geometry_.filters;
      functions_.subtract(zero_points + first, AddUpWindow(sums + group, place),
                          zero_points + first, 0, output + place * CountFilters() + first,
                          geometry_.filters);
    }
  }

  /// Padding counts as the zero point, and adds nothing. Wraps around.
  std::int32_t AddUpWindow(const std::int32_t* sums, std::int64_t place) const {
    const auto& axes = geometry_.axes;
    std::int64_t first[kMaxSpatialRank];
    for (std::size_t axis = kMaxSpatialRank; axis-- > 0; place /= axes[axis].output) {
      first[axis] = place % axes[axis].output * axes[axis].stride - axes[axis].pad;
    }
    std::uint32_t sum = 0;
    ForEachTap(axes[0], first[0], [&](std::int64_t slice) {
      ForEachTap(axes[1], first[1], [&](std::int64_t line) {
        const std::int64_t of_line =
            ((place * axes[0].input + slice) * axes[1].input + line) * axes[2].input;
        ForEachTap(axes[2], first[2], [&](std::int64_t i) {
          sum += static_cast<std::uint32_t>(sums[(of_line + i) * geometry_.groups]);
        });
      });
    });
    return static_cast<std::int32_t>(sum);
  }

  template <typename Visit>
  static void ForEachTap(const ByteAxis& axis, std::int64_t first, const Visit& visit) {
    for (std::int64_t tap = 0; tap < axis.kernel; ++tap) {
      const std::int64_t index = first + tap * axis.dilation;
      if (index >= 0 && index < axis.input) visit(index);
    }
  }

  const ByteGeometry geometry_;
  const DataType type_;
  const ZeroPointInputs zero_points_;
  const std::int64_t num_places_;
  const std::int64_t num_results_;
  const ByteProductFunctions& functions_ = GetSimdFunctions().byte_products;
};

}  // namespace

std::unique_ptr<const Kernel> MakeWindowCorrection(const KernelMaker& maker,
                                                   const ConvolutionDims& dims,
                                                   const ZeroPointInputs& zero_points) {
  return std::make_unique<WindowCorrection>(maker, dims, zero_points);
}

}  // namespace cpuacc
}  // namespace backplane
