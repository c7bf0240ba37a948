#pragma once

#include "cpu_layers/resize_axis.hpp"
#include "kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace reference {

/// Moves elements, each from its nearest one in the input, or sets them to the value for what lies
/// outside.
template <typename Element>
class NearestResize {
 public:
  NearestResize(const std::vector<ResizeAxis>& axes, Element outside)
      : outside_(outside), steps_(axes.size()) {
    std::int64_t input_elements = 1;
    std::int64_t output_elements = 1;
    for (std::size_t axis = axes.size(); axis-- > 0;) {
      steps_[axis] = {GetOffsets(axes[axis], input_elements), output_elements};
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

  void Fill(std::size_t axis, const Element* input, Element*& output) const {
    if (axis == steps_.size()) {
      *output++ = *input;
      return;
    }
    for (const std::int64_t offset : steps_[axis].offsets) {
      if (offset == kOutside) {
        output = std::fill_n(output, steps_[axis].output_elements, outside_);
      } else {
        Fill(axis + 1, input + offset, output);
      }
    }
  }

  const Element outside_;
  std::vector<Step> steps_;
};

}  // namespace reference
}  // namespace backplane
