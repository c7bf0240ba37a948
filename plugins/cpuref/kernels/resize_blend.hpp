#pragma once

#include "cpu_layers/resize_axis.hpp"
#include "kernel.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuref {

/// One axis of [outer, input, inner] becomes [outer, output, inner] by weighted sums of neighbours.
template <typename Real>
class BlendAxis {
 public:
  BlendAxis(const ResizeAxis& axis, std::int64_t outer, std::int64_t inner)
      : outer_(outer),
        input_(axis.input),
        output_(axis.output),
        inner_(inner),
        num_taps_(axis.num_taps),
        indices_(axis.indices),
        weights_(axis.weights.begin(), axis.weights.end()) {}

  std::int64_t GetOutputElements() const { return outer_ * output_ * inner_; }

  void Run(const Real* input, Real* output) const {
    if (num_taps_ == 2) {
      RunWithTaps<2>(input, output);
    } else {
      RunWithTaps<4>(input, output);
    }
  }

 private:
  template <std::size_t kTaps>
  void RunWithTaps(const Real* input, Real* output) const {
    for (std::int64_t row = 0; row < outer_; ++row) {
      if (inner_ == 1) {
        BlendElements<kTaps>(input, output);
      } else {
        BlendRows<kTaps>(input, output);
      }
      input += input_ * inner_;
      output += output_ * inner_;
    }
  }

  template <std::size_t kTaps>
  void BlendElements(const Real* __restrict input, Real* __restrict output) const {
    const std::int64_t* indices = indices_.data();
    const Real* weights = weights_.data();
    for (std::int64_t i = 0; i < output_; ++i) {
      Real sum = 0;
      for (std::size_t tap = 0; tap < kTaps; ++tap) sum += *weights++ * input[*indices++];
      output[i] = sum;
    }
  }

  template <std::size_t kTaps>
  void BlendRows(const Real* input, Real* output) const {
    for (std::int64_t i = 0; i < output_; ++i) {
      const Real* rows[kTaps];
      for (std::size_t tap = 0; tap < kTaps; ++tap) {
        rows[tap] = input + indices_[static_cast<std::size_t>(i) * kTaps + tap] * inner_;
      }
      BlendRow<kTaps>(rows, weights_.data() + static_cast<std::size_t>(i) * kTaps,
                      output + i * inner_);
    }
  }

  template <std::size_t kTaps>
  void BlendRow(const Real* const* rows, const Real* weights, Real* __restrict output) const {
    for (std::int64_t i = 0; i < inner_; ++i) {
      Real sum = 0;
      for (std::size_t tap = 0; tap < kTaps; ++tap) sum += weights[tap] * rows[tap][i];
      output[i] = sum;
    }
  }

  std::int64_t outer_;
  std::int64_t input_;
  std::int64_t output_;
  std::int64_t inner_;
  std::uint32_t num_taps_;
  std::vector<std::int64_t> indices_;
  std::vector<Real> weights_;
};

}  // namespace cpuref
}  // namespace backplane
