#pragma once

#include "cpu_layers/resize_axis.hpp"
#include "kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuref {

/// Moves elements, each from its nearest one in the input, or sets them to the value for what lies
/// outside.
template <typename Element>
class NearestResize {
 public:
  NearestResize(const std::vector<ResizeAxis>& axes, Element outside) : outside_(outside) {
    std::size_t rank = axes.size();
    // Axes at the end that stay are moved as one run.
    while (rank > 0 && axes[rank - 1].is_left_alone) run_ *= axes[--rank].output;
    steps_.resize(rank);
    std::int64_t input_elements = run_;
    std::int64_t output_elements = run_;
    for (std::size_t axis = rank; axis-- > 0;) {
      steps_[axis].offsets = GetOffsets(axes[axis], input_elements);
      steps_[axis].output_elements = output_elements;
      input_elements *= axes[axis].input;
      output_elements *= axes[axis].output;
    }
  }

  void Run(const Element* input, Element* output) const { Fill(0, input, output); }

 private:
  static constexpr std::int64_t kOutside = -1;

  /// An axis.
  struct Step {
    std::vector<std::int64_t> offsets;  // in the input, or kOutside
    std::int64_t output_elements = 1;   // for each of them
  };

  static std::vector<std::int64_t> GetOffsets(const ResizeAxis& axis, std::int64_t elements) {
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(axis.output));
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      offsets[i] = (axis.is_left_alone ? static_cast<std::int64_t>(i) : axis.indices[i]) * elements;
    }
    for (const std::int64_t i : axis.outside) offsets[static_cast<std::size_t>(i)] = kOutside;
    return offsets;
  }

  void Fill(std::size_t axis, const Element* input, Element* output) const {
    if (axis == steps_.size()) {
      std::copy_n(input, run_, output);
      return;
    }
    const Step& step = steps_[axis];
    if (axis + 1 == steps_.size() && run_ == 1) {
      FillRow(step, input, output);
      return;
    }
    for (const std::int64_t offset : step.offsets) {
      if (offset == kOutside) {
        std::fill_n(output, step.output_elements, outside_);
      } else {
        Fill(axis + 1, input + offset, output);
      }
      output += step.output_elements;
    }
  }

  void FillRow(const Step& step, const Element* input, Element* output) const {
    for (const std::int64_t offset : step.offsets) {
      *output++ = offset == kOutside ? outside_ : input[offset];
    }
  }

  const Element outside_;
  std::int64_t run_ = 1;
  std::vector<Step> steps_;
};

}  // namespace cpuref
}  // namespace backplane
