#pragma once

/// Convolution for few filters, as in depthwise layers, where packing for products of matrices
/// would cost as much as the sums. The input is copied once, with its padding, so that what a tap
/// reads for all outputs is one long row: with a stride, every stride-th element becomes a
/// neighbour.

#include "cpu_layers/window.hpp"
#include "kernels/convolution_operands.hpp"
#include "kernels/matrix_panel.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpuref {

/// One spatial axis of the copy. A phase has every stride-th element of the padded input.
struct PlaneAxis {
  explicit PlaneAxis(const WindowAxis& axis);

  /// The elements of a phase that lie inside the input.
  OutputRange FindInside(std::int64_t phase_begin) const;

  WindowAxis window;
  std::int64_t length = 0;           // of a phase
  std::vector<std::int64_t> phases;  // where those begin that a tap reads, from the padding on
  struct Tap {
    std::int64_t phase;   // which of them it reads
    std::int64_t offset;  // what it reads for output 0
  };
  std::vector<Tap> taps;
};

template <typename Number>
class PlaneConvolution {
 public:
  PlaneConvolution(const Window& window, std::int64_t num_channels, std::int64_t num_filters)
      : axes_{PlaneAxis(window[0]), PlaneAxis(window[1]), PlaneAxis(window[2])},
        num_channels_(num_channels),
        num_filters_(num_filters),
        row_elements_(GetRowElements()),
        channel_elements_(CountPhases() * GetPhaseElements()) {
    const std::int64_t phase = GetPhaseElements();
    for (const PlaneAxis::Tap& d : axes_[0].taps) {
      for (const PlaneAxis::Tap& h : axes_[1].taps) {
        for (const PlaneAxis::Tap& w : axes_[2].taps) {
          const std::int64_t number =
              (d.phase * CountPhases(1) + h.phase) * CountPhases(2) + w.phase;
          taps_.push_back(number * phase +
                          (d.offset * axes_[1].length + h.offset) * axes_[2].length + w.offset);
        }
      }
    }
  }

  /// What Run needs, in elements. Blocks reach behind both the planes and the row of sums.
  std::int64_t GetScratchElements() const {
    return num_channels_ * channel_elements_ + row_elements_ + 2 * kBlock;
  }

  void Run(const ConvolutionOperands<Number>& operands, Number* scratch) const {
    const std::int64_t input_plane =
        axes_[0].window.input * axes_[1].window.input * axes_[2].window.input;
    Number* const planes = scratch;
    Number* const sums = scratch + num_channels_ * channel_elements_ + kBlock;
    std::fill(planes, sums, Number{});
    for (std::int64_t channel = 0; channel < num_channels_; ++channel) {
      PackChannel(operands.input + channel * input_plane, planes + channel * channel_elements_);
    }
    const auto num_taps = static_cast<std::int64_t>(taps_.size());
    for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
      const Number* weights = operands.weights + filter * num_channels_ * num_taps;
      for (std::int64_t i = 0; i < row_elements_; i += kBlock) {
        SumBlock(planes + i, weights, sums + i);
      }
      Store(sums, filter, operands);
    }
  }

 private:
  using Vector = typename Lanes<Number>::Type;
  static constexpr std::int64_t kLanes = sizeof(Vector) / sizeof(Number);
  static constexpr std::int64_t kVectors = 8;  // sums that stay in registers
  static constexpr std::int64_t kBlock = kVectors * kLanes;

  std::int64_t CountPhases(std::uint32_t axis) const {
    return static_cast<std::int64_t>(axes_[axis].phases.size());
  }
  std::int64_t CountPhases() const { return CountPhases(0) * CountPhases(1) * CountPhases(2); }
  std::int64_t GetPhaseElements() const {
    return axes_[0].length * axes_[1].length * axes_[2].length;
  }
  /// The outputs of one filter, with what lies between their rows in a phase.
  std::int64_t GetRowElements() const {
    const std::int64_t rows_before =
        (axes_[0].window.output - 1) * axes_[1].length + axes_[1].window.output - 1;
    return rows_before * axes_[2].length + axes_[2].window.output;
  }

  /// Only what lies inside the input; the rest is 0 already.
  void PackChannel(const Number* input, Number* packed) const {
    for (const std::int64_t depth : axes_[0].phases) {
      for (const std::int64_t height : axes_[1].phases) {
        for (const std::int64_t width : axes_[2].phases) {
          PackPhase({depth, height, width}, input, packed);
          packed += GetPhaseElements();
        }
      }
    }
  }

  void PackPhase(const std::array<std::int64_t, kMaxSpatialRank>& begin, const Number* input,
                 Number* packed) const {
    const auto get_index = [&](std::uint32_t axis, std::int64_t element) {
      const WindowAxis& window = axes_[axis].window;
      return element * window.stride + begin[axis] - window.pad_begin;
    };
    const WindowAxis& width = axes_[2].window;
    const OutputRange columns = axes_[2].FindInside(begin[2]);
    if (columns.begin == columns.end) return;
    for (std::int64_t i = 0; i < axes_[0].length; ++i) {
      const std::int64_t d = get_index(0, i);
      if (!axes_[0].window.IsInside(d)) continue;
      for (std::int64_t j = 0; j < axes_[1].length; ++j) {
        const std::int64_t h = get_index(1, j);
        if (!axes_[1].window.IsInside(h)) continue;
        const Number* row = input + (d * axes_[1].window.input + h) * width.input;
        Number* target = packed + (i * axes_[1].length + j) * axes_[2].length;
        CopyRow(row + get_index(2, columns.begin), columns.end - columns.begin,
                target + columns.begin);
      }
    }
  }

  void CopyRow(const Number* row, std::int64_t length, Number* target) const {
    WithStride(axes_[2].window.stride, [=](auto stride) {
      for (std::int64_t i = 0; i < length; ++i) target[i] = row[i * stride];
    });
  }

  /// A few outputs of one filter at once.
  void SumBlock(const Number* planes, const Number* weights, Number* target) const {
    Vector sums[kVectors] = {};
    for (std::int64_t channel = 0; channel < num_channels_; ++channel) {
      const Number* const plane = planes + channel * channel_elements_;
      for (const std::int64_t tap : taps_) {
        const Number weight = *weights++;
        const auto* row = reinterpret_cast<const Vector*>(plane + tap);
        for (std::int64_t v = 0; v < kVectors; ++v) sums[v] += weight * row[v];
      }
    }
    std::copy_n(reinterpret_cast<const Number*>(sums), kBlock, target);
  }

  void Store(const Number* sums, std::int64_t filter,
             const ConvolutionOperands<Number>& operands) const {
    const Number bias = operands.bias != nullptr ? operands.bias[filter] : Number{};
    const std::int64_t width = axes_[2].window.output;
    Number* output =
        operands.output + filter * axes_[0].window.output * axes_[1].window.output * width;
    for (std::int64_t d = 0; d < axes_[0].window.output; ++d) {
      for (std::int64_t h = 0; h < axes_[1].window.output; ++h) {
        const Number* row = sums + (d * axes_[1].length + h) * axes_[2].length;
        for (std::int64_t w = 0; w < width; ++w) output[w] = row[w] + bias;
        output += width;
      }
    }
  }

  const std::array<PlaneAxis, kMaxSpatialRank> axes_;
  const std::int64_t num_channels_;  // of one group
  const std::int64_t num_filters_;   // of one group
  const std::int64_t row_elements_;
  const std::int64_t channel_elements_;
  std::vector<std::int64_t> taps_;  // what each reads for output 0, in the order of the weights
};

}  // namespace cpuref
}  // namespace backplane
