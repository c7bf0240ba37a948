#pragma once

#include "cpu_layers/resize_axis.hpp"
#include "elements/round_to_integer.hpp"
#include "kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace reference {

/// Each element of the output is a sum over its neighbours along all axes, each with the product of
/// its weights, or the extrapolation value. Calculated as double, and rounded once at the end.
template <typename Number>
class InterpolatingResizeKernel : public Kernel {
 public:
  explicit InterpolatingResizeKernel(const Layer& layer)
      : outside_value_(
            static_cast<double>(layer.GetDescriptor<ResizeDescriptor>().extrapolation_value)),
        round_(layer.Output().data_type) {
    std::int64_t input_elements = layer.Input(0).shape.GetNumElements();
    for (ResizeAxis& axis :
         MakeResizeAxes(layer.GetDescriptor<ResizeDescriptor>(), layer.Input(0).shape)) {
      input_elements /= axis.input;
      Step step;
      step.input_elements = input_elements;
      step.is_outside.resize(static_cast<std::size_t>(axis.output));
      for (const std::int64_t i : axis.outside) step.is_outside[static_cast<std::size_t>(i)] = true;
      step.axis = std::move(axis);
      steps_.push_back(std::move(step));
    }
  }

  void Run(const RunTensors& tensors) const override {
    std::size_t at[kMaxRank] = {};
    Number* output = tensors.Output<Number>();
    do {
      *output++ = round_(IsOutside(at) ? outside_value_ : AddUp(0, at, tensors.Input<Number>(0)));
    } while (Advance(at));
  }

 private:
  struct Step {
    ResizeAxis axis;
    std::int64_t input_elements = 1;  // from one index along the axis to the next
    std::vector<bool> is_outside;     // for each index of the output
  };

  bool IsOutside(const std::size_t* at) const {
    for (std::size_t axis = 0; axis < steps_.size(); ++axis) {
      if (steps_[axis].is_outside[at[axis]]) return true;
    }
    return false;
  }

  double AddUp(std::size_t axis, const std::size_t* at, const Number* input) const {
    if (axis == steps_.size()) return static_cast<double>(*input);
    const Step& step = steps_[axis];
    if (step.axis.is_left_alone) {
      return AddUp(axis + 1, at, input + static_cast<std::int64_t>(at[axis]) * step.input_elements);
    }
    double sum = 0;
    for (std::size_t tap = 0; tap < step.axis.num_taps; ++tap) {
      const std::size_t number = at[axis] * step.axis.num_taps + tap;
      sum += step.axis.weights[number] *
             AddUp(axis + 1, at, input + step.axis.indices[number] * step.input_elements);
    }
    return sum;
  }

  /// To the next element of the output, the last axis first; false behind the last.
  bool Advance(std::size_t* at) const {
    for (std::size_t axis = steps_.size(); axis-- > 0; at[axis] = 0) {
      if (++at[axis] < steps_[axis].is_outside.size()) return true;
    }
    return false;
  }

  const double outside_value_;
  const RoundToType<Number> round_;
  std::vector<Step> steps_;
};

}  // namespace reference
}  // namespace backplane
