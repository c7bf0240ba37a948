#pragma once

#include "cpu_layers/resize_axis.hpp"
#include "elements/round_to_integer.hpp"
#include "kernel.hpp"
#include "kernels/resize_blend.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace backplane {
namespace cpuref {

/// Elements of an axis of the output, [outer, extent, inner], that get the extrapolation value.
struct OutsideElements {
  std::int64_t outer;
  std::int64_t extent;
  std::int64_t inner;
  std::vector<std::int64_t> indices;
};

/// Interpolates along one axis after the other, the one that shrinks most first. Integers are
/// calculated with as double, which holds those of 32 bits with their fractions, and rounded once
/// at the end.
template <typename Number>
class InterpolatingResizeKernel : public Kernel {
 public:
  explicit InterpolatingResizeKernel(const Layer& layer)
      : outside_value_(
            static_cast<Real>(layer.GetDescriptor<ResizeDescriptor>().extrapolation_value)),
        num_inputs_(layer.Input(0).shape.GetNumElements()),
        num_outputs_(layer.Output().shape.GetNumElements()),
        round_(layer.Output().data_type) {
    const std::vector<ResizeAxis> axes =
        MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape);
    MakeBlends(axes);
    MakeOutside(axes);
    PlaceStages();
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(sizes_[0] + sizes_[1]) * sizeof(Real);
  }

  void Run(const RunTensors& tensors) const override {
    auto* scratch = tensors.GetScratch<Real>();
    Real* stages[2] = {scratch, scratch + sizes_[0]};
    const auto* input = tensors.Input<Number>(0);
    auto* output = tensors.Output<Number>();
    if constexpr (kRounds) {
      std::copy_n(input, num_inputs_, stages[0]);
      for (std::size_t i = 0; i < blends_.size(); ++i) {
        blends_[i].Run(stages[i % 2], stages[(i + 1) % 2]);
      }
      Real* result = stages[blends_.size() % 2];
      FillOutside(result);
      std::transform(result, result + num_outputs_, output, round_);
    } else {
      if (blends_.empty()) std::copy_n(input, num_inputs_, output);
      for (std::size_t i = 0; i < blends_.size(); ++i) {
        const Real* from = i == 0 ? input : stages[i % 2];
        blends_[i].Run(from, i + 1 == blends_.size() ? output : stages[(i + 1) % 2]);
      }
      FillOutside(output);
    }
  }

 private:
  static constexpr bool kRounds = std::is_integral<Number>::value;
  using Real = std::conditional_t<kRounds, double, Number>;

  void MakeBlends(const std::vector<ResizeAxis>& axes) {
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (!axes[axis].is_left_alone) order.push_back(axis);
    }
    const auto get_growth = [&](std::size_t axis) {
      return static_cast<double>(axes[axis].output) / static_cast<double>(axes[axis].input);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return get_growth(a) < get_growth(b); });
    std::vector<std::int64_t> extents;
    for (const ResizeAxis& axis : axes) extents.push_back(axis.input);
    for (const std::size_t axis : order) {
      blends_.emplace_back(axes[axis], Multiply(extents, 0, axis),
                           Multiply(extents, axis + 1, extents.size()));
      extents[axis] = axes[axis].output;
    }
  }

  void MakeOutside(const std::vector<ResizeAxis>& axes) {
    std::vector<std::int64_t> extents;
    for (const ResizeAxis& axis : axes) extents.push_back(axis.output);
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].outside.empty()) continue;
      outside_.push_back({Multiply(extents, 0, axis), extents[axis],
                          Multiply(extents, axis + 1, extents.size()), axes[axis].outside});
    }
  }

  /// How much room the results need that lie in scratch memory, in turns in one of two places.
  void PlaceStages() {
    if (kRounds) sizes_[0] = num_inputs_;
    const std::size_t num_in_scratch = blends_.size() - (kRounds || blends_.empty() ? 0 : 1);
    for (std::size_t i = 0; i < num_in_scratch; ++i) {
      std::int64_t& size = sizes_[(i + 1) % 2];
      size = std::max(size, blends_[i].GetOutputElements());
    }
  }

  static std::int64_t Multiply(const std::vector<std::int64_t>& extents, std::size_t begin,
                               std::size_t end) {
    std::int64_t product = 1;
    for (std::size_t axis = begin; axis < end; ++axis) product *= extents[axis];
    return product;
  }

  void FillOutside(Real* output) const {
    for (const OutsideElements& outside : outside_) {
      for (std::int64_t row = 0; row < outside.outer; ++row) {
        for (const std::int64_t index : outside.indices) {
          std::fill_n(output + (row * outside.extent + index) * outside.inner, outside.inner,
                      outside_value_);
        }
      }
    }
  }

  const Real outside_value_;
  const std::int64_t num_inputs_;
  const std::int64_t num_outputs_;
  const RoundToType<Number> round_;
  std::vector<BlendAxis<Real>> blends_;
  std::vector<OutsideElements> outside_;
  std::int64_t sizes_[2] = {0, 0};
};

}  // namespace cpuref
}  // namespace backplane
