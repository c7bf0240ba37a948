#pragma once

/// Convolution as a product of matrices: the filters, times what lies under them at each position.
/// The latter is packed for a block of positions at a time and serves all filters.

#include "kernels/convolution_operands.hpp"
#include "kernels/matrix_panel.hpp"
#include "kernels/tap_axes.hpp"

#include <algorithm>
#include <cstdint>

namespace backplane {
namespace cpuref {

/// The weights are those of the taps only, in their order.
template <typename Number>
class PanelConvolution {
 public:
  PanelConvolution(std::int64_t num_channels, std::int64_t num_filters,
                   const std::array<std::int64_t, kMaxSpatialRank>& output_extents)
      : num_channels_(num_channels), num_filters_(num_filters), output_(output_extents) {}

  /// What Run needs, in elements.
  std::int64_t GetScratchElements() const { return kBlock * kPanelInner + kBlock * num_filters_; }

  /// Makes the outputs at the positions of `axes`.
  void Run(const TapAxes& axes, const ConvolutionOperands<Number>& operands,
           Number* scratch) const {
    const std::int64_t num_positions =
        axes[0]->num_positions * axes[1]->num_positions * axes[2]->num_positions;
    for (std::int64_t begin = 0; begin < num_positions; begin += kBlock) {
      const Block block(axes, begin, std::min(kBlock, num_positions - begin));
      MakeBlock(axes, block, operands, scratch);
    }
  }

 private:
  static constexpr std::int64_t kColumns = kPanelColumns<Number>;
  static constexpr std::int64_t kBlock = 64;          // positions
  static constexpr std::int64_t kFiltersAtOnce = 32;  // whose weights stay in the cache

  /// Positions that lie in one row of the output.
  struct Piece {
    std::int64_t depth;
    std::int64_t height;
    std::int64_t width;  // of the first
    std::int64_t length;
    std::int64_t begin;  // in the block
  };

  struct Block {
    Block(const TapAxes& axes, std::int64_t begin, std::int64_t num_positions)
        : length(num_positions) {
      const std::int64_t row = axes[2]->num_positions;
      for (std::int64_t done = 0; done < length;) {
        const std::int64_t rows_before = (begin + done) / row;
        const std::int64_t width = (begin + done) % row;
        const std::int64_t count = std::min(length - done, row - width);
        pieces[num_pieces++] = {rows_before / axes[1]->num_positions,
                                rows_before % axes[1]->num_positions, width, count, done};
        done += count;
      }
    }

    std::int64_t length;
    std::int64_t num_pieces = 0;
    Piece pieces[kBlock];
  };

  /// Where in the order of the weights a row of the panels is.
  struct TapPosition {
    void Advance(const TapAxes& axes) {
      if (++width < axes[2]->taps.size()) return;
      width = 0;
      if (++height < axes[1]->taps.size()) return;
      height = 0;
      if (++depth < axes[0]->taps.size()) return;
      depth = 0;
      ++channel;
    }

    std::int64_t channel = 0;
    std::size_t depth = 0;
    std::size_t height = 0;
    std::size_t width = 0;
  };

  void MakeBlock(const TapAxes& axes, const Block& block,
                 const ConvolutionOperands<Number>& operands, Number* scratch) const {
    Number* panels = scratch;
    Number* sums = scratch + kBlock * kPanelInner;
    std::fill_n(sums, kBlock * num_filters_, Number{});
    const auto num_taps = static_cast<std::int64_t>(axes[0]->taps.size() * axes[1]->taps.size() *
                                                    axes[2]->taps.size());
    const std::int64_t inner = num_channels_ * num_taps;
    TapPosition tap;
    for (std::int64_t k = 0; k < inner; k += kPanelInner) {
      const std::int64_t rows = std::min(kPanelInner, inner - k);
      for (std::int64_t row = 0; row < rows; ++row, tap.Advance(axes)) {
        PackRow(axes, block, tap, operands.input, panels + row * kColumns);
      }
      AddProducts(operands.weights + k, inner, rows, block.length, panels, sums);
    }
    for (std::int64_t filter = 0; filter < num_filters_; ++filter) {
      Store(axes, block, operands, filter, sums + filter * kBlock);
    }
  }

  /// One row of all panels of a block: what one tap of one channel reads at its positions.
  void PackRow(const TapAxes& axes, const Block& block, const TapPosition& at, const Number* input,
               Number* panel_row) const {
    Number elements[kBlock] = {};
    const TapAxis& depth = *axes[0];
    const TapAxis& height = *axes[1];
    const TapAxis& width = *axes[2];
    const Tap& tap = width.taps[at.width];
    const Number* plane = input + at.channel * depth.input * height.input * width.input;
    for (std::int64_t i = 0; i < block.num_pieces; ++i) {
      const Piece& piece = block.pieces[i];
      const std::int64_t d = piece.depth * depth.stride + depth.taps[at.depth].offset;
      const std::int64_t h = piece.height * height.stride + height.taps[at.height].offset;
      if (d < 0 || d >= depth.input || h < 0 || h >= height.input) continue;
      const std::int64_t first = std::max(piece.width, tap.positions.begin);
      const std::int64_t end = std::min(piece.width + piece.length, tap.positions.end);
      if (first >= end) continue;
      const Number* source =
          plane + (d * height.input + h) * width.input + first * width.stride + tap.offset;
      Copy(source, width.stride, end - first, elements + piece.begin + first - piece.width);
    }
    for (std::int64_t j = 0; j < block.length; j += kColumns) {
      std::copy_n(elements + j, kColumns, panel_row + j * kPanelInner);
    }
  }

  static void Copy(const Number* source, std::int64_t stride, std::int64_t count, Number* target) {
    WithStride(stride, [=](auto step) {
      for (std::int64_t i = 0; i < count; ++i) target[i] = source[i * step];
    });
  }

  void AddProducts(const Number* weights, std::int64_t weights_step, std::int64_t inner,
                   std::int64_t num_positions, const Number* panels, Number* sums) const {
    for (std::int64_t filter = 0; filter < num_filters_; filter += kFiltersAtOnce) {
      const std::int64_t rows = std::min(kFiltersAtOnce, num_filters_ - filter);
      for (std::int64_t j = 0; j < num_positions; j += kColumns) {
        AddPanelProduct<Number>({weights + filter * weights_step,
                                 {weights_step, 1},
                                 inner,
                                 panels + j * kPanelInner,
                                 kColumns,
                                 sums + filter * kBlock + j,
                                 kBlock},
                                rows);
      }
    }
  }

  void Store(const TapAxes& axes, const Block& block, const ConvolutionOperands<Number>& operands,
             std::int64_t filter, const Number* sums) const {
    const Number bias = operands.bias != nullptr ? operands.bias[filter] : Number{};
    Number* plane = operands.output + filter * output_[0] * output_[1] * output_[2];
    const std::int64_t step = axes[2]->output_step;
    for (std::int64_t i = 0; i < block.num_pieces; ++i) {
      const Piece& piece = block.pieces[i];
      const std::int64_t d = axes[0]->output_begin + piece.depth * axes[0]->output_step;
      const std::int64_t h = axes[1]->output_begin + piece.height * axes[1]->output_step;
      const std::int64_t w = axes[2]->output_begin + piece.width * step;
      Number* target = plane + (d * output_[1] + h) * output_[2] + w;
      const Number* source = sums + piece.begin;
      for (std::int64_t j = 0; j < piece.length; ++j) target[j * step] = source[j] + bias;
    }
  }

  const std::int64_t num_channels_;                         // of one group
  const std::int64_t num_filters_;                          // of one group
  const std::array<std::int64_t, kMaxSpatialRank> output_;  // extents
};

}  // namespace cpuref
}  // namespace backplane
