#pragma once

#include "cpu_layers/window.hpp"
#include "kernel.hpp"
#include "kernels/byte_lines.hpp"

#include <vector>

namespace backplane {
namespace cpuref {

/// The convolution of bytes less their zero points; padding counts as the zero point. Two ways to
/// the same sums: with enough filters in a group, each window is laid out as a line that all
/// filters are multiplied with; otherwise rows of the input are added up, in float, which has the
/// sums without loss as long as they are short.
class ByteConvolution {
 public:
  /// Input 0, weights and output of a layer that the kernel of convolutions takes.
  explicit ByteConvolution(const Layer& layer);

  std::uint64_t GetScratchBytes() const;

  /// The zero points of the weights are those of the filters. Channels are filters.
  void Run(const Bytes& input, std::int32_t input_zero_point, const Bytes& weights,
           const ZeroPoints& weight_zero_points, unsigned char* scratch, const SumSink& sink) const;

 private:
  struct Operands;
  struct LineScratch;
  struct RowScratch;

  ByteConvolution(const Layer& layer, const ConvolutionDescriptor& descriptor);

  LineScratch SplitForLines(unsigned char* scratch) const;
  RowScratch SplitForRows(unsigned char* scratch) const;

  void RunByLines(const Operands& operands, const LineScratch& scratch, const SumSink& sink) const;
  template <typename Byte>
  void PackWindows(const Byte* input, std::int32_t zero_point, std::int64_t first_position,
                   std::int64_t count, std::int16_t* lines) const;
  template <typename Byte>
  void PackRow(const Byte* input, std::int32_t zero_point, std::int64_t output_row,
               const OutputRange& columns, std::int16_t* lines) const;

  void RunByRows(const Operands& operands, const RowScratch& scratch, const SumSink& sink) const;
  void AddRows(const float* input, const float* weights, std::int64_t output_row,
               float* sums) const;

  const Window window_;
  const std::vector<OutputRange> covered_columns_;
  const std::int64_t batches_;
  const std::int64_t groups_;
  const std::int64_t input_channels_;   // of one group
  const std::int64_t output_channels_;  // of one group
  const std::int64_t input_plane_;
  const std::int64_t output_plane_;
  const std::int64_t kernel_volume_;
  const LineLayout layout_;  // a line for each window and each filter
  const bool by_rows_;
};

}  // namespace cpuref
}  // namespace backplane
