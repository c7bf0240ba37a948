#include "kernels/byte_convolution.hpp"

#include <backplane/api/descriptors/convolution.hpp>

#include <algorithm>

namespace backplane {
namespace cpuref {
namespace {

/// With fewer filters, laying out windows takes longer than the products do.
constexpr std::int64_t kLeastFilters = 4;

/// Up to 2^24, float has all integers.
constexpr std::int64_t kMostExactProducts = (1 << 24) / (255 * 255);

std::int64_t GetProduct(const Window& window, std::int64_t WindowAxis::*extent) {
  std::int64_t product = 1;
  for (const WindowAxis& axis : window) product *= axis.*extent;
  return product;
}

void AddScaledRow(const float* __restrict input, std::int64_t stride, float factor,
                  std::int64_t length, float* __restrict sums) {
  if (stride == 1) {
    for (std::int64_t i = 0; i < length; ++i) sums[i] += factor * input[i];
  } else {
    for (std::int64_t i = 0; i < length; ++i) sums[i] += factor * input[i * stride];
  }
}

void ToFloats(const Bytes& bytes, std::int64_t begin, std::int64_t count, std::int32_t zero_point,
              float* floats) {
  bytes.VisitElements([&](const auto* elements) {
    for (std::int64_t i = 0; i < count; ++i) {
      floats[i] = static_cast<float>(elements[begin + i] - zero_point);
    }
  });
}

}  // namespace

/// One group of one batch.
struct ByteConvolution::Operands {
  Bytes input;
  std::int64_t input_begin = 0;
  std::int32_t input_zero_point = 0;
  LineSource weights;
  std::int64_t first_channel = 0;
  std::int64_t output_begin = 0;
};

struct ByteConvolution::LineScratch {
  std::int32_t* sums;
  std::int16_t* windows;
  std::int16_t* filters;
};

struct ByteConvolution::RowScratch {
  float* input;
  float* filter;
  float* row;
  std::int32_t* sums;
};

ByteConvolution::ByteConvolution(const Layer& layer)
    : ByteConvolution(layer, layer.GetDescriptor<ConvolutionDescriptor>()) {}

ByteConvolution::ByteConvolution(const Layer& layer, const ConvolutionDescriptor& descriptor)
    : window_(MergePointwiseAxes(MakeWindow(descriptor, layer.Input(1).shape.dims + 2,
                                            layer.Input(0).shape, layer.Output().shape))),
      covered_columns_(GetCoveredOutputs(window_[2])),
      batches_(layer.Input(0).shape[0]),
      groups_(descriptor.groups),
      input_channels_(layer.Input(1).shape[1]),
      output_channels_(layer.Input(1).shape[0] / groups_),
      input_plane_(GetProduct(window_, &WindowAxis::input)),
      output_plane_(GetProduct(window_, &WindowAxis::output)),
      kernel_volume_(GetProduct(window_, &WindowAxis::kernel)),
      layout_(input_channels_ * kernel_volume_),
      by_rows_(output_channels_ < kLeastFilters && layout_.inner <= kMostExactProducts) {}

std::uint64_t ByteConvolution::GetScratchBytes() const {
  if (by_rows_) {
    const std::int64_t elements =
        input_channels_ * input_plane_ + layout_.inner + 2 * window_[2].output;
    return static_cast<std::uint64_t>(elements) * sizeof(float);
  }
  const std::int64_t lines = kTileLines + output_channels_;
  return static_cast<std::uint64_t>(kBlockLines * kTileLines) * sizeof(std::int32_t) +
         static_cast<std::uint64_t>(lines * layout_.stride) * sizeof(std::int16_t);
}

ByteConvolution::LineScratch ByteConvolution::SplitForLines(unsigned char* scratch) const {
  LineScratch parts{};
  parts.sums = reinterpret_cast<std::int32_t*>(scratch);
  parts.windows = reinterpret_cast<std::int16_t*>(parts.sums + kBlockLines * kTileLines);
  parts.filters = parts.windows + kTileLines * layout_.stride;
  return parts;
}

ByteConvolution::RowScratch ByteConvolution::SplitForRows(unsigned char* scratch) const {
  RowScratch parts{};
  parts.input = reinterpret_cast<float*>(scratch);
  parts.filter = parts.input + input_channels_ * input_plane_;
  parts.row = parts.filter + layout_.inner;
  parts.sums = reinterpret_cast<std::int32_t*>(parts.row + window_[2].output);
  return parts;
}

void ByteConvolution::Run(const Bytes& input, std::int32_t input_zero_point, const Bytes& weights,
                          const ZeroPoints& weight_zero_points, unsigned char* scratch,
                          const SumSink& sink) const {
  Operands operands;
  operands.input = input;
  operands.input_zero_point = input_zero_point;
  operands.weights = {weights, 0, layout_.inner, 1, weight_zero_points};
  for (std::int64_t group = 0; group < groups_; ++group) {
    operands.first_channel = group * output_channels_;
    if (!by_rows_) {
      PackLines(operands.weights, layout_, operands.first_channel, output_channels_,
                SplitForLines(scratch).filters);
    }
    for (std::int64_t n = 0; n < batches_; ++n) {
      operands.input_begin = (n * groups_ + group) * input_channels_ * input_plane_;
      operands.output_begin = (n * groups_ + group) * output_channels_ * output_plane_;
      if (by_rows_) {
        RunByRows(operands, SplitForRows(scratch), sink);
      } else {
        RunByLines(operands, SplitForLines(scratch), sink);
      }
    }
  }
}

void ByteConvolution::RunByLines(const Operands& operands, const LineScratch& scratch,
                                 const SumSink& sink) const {
  for (std::int64_t first = 0; first < output_plane_; first += kTileLines) {
    const std::int64_t count = std::min(kTileLines, output_plane_ - first);
    operands.input.VisitElements([&](const auto* input) {
      PackWindows(input + operands.input_begin, operands.input_zero_point, first, count,
                  scratch.windows);
    });
    for (std::int64_t block = 0; block < output_channels_; block += kBlockLines) {
      const std::int64_t block_filters = std::min(kBlockLines, output_channels_ - block);
      MultiplyLines(layout_, scratch.filters + block * layout_.stride, block_filters,
                    scratch.windows, count, scratch.sums);
      for (std::int64_t i = 0; i < block_filters; ++i) {
        sink.Take({scratch.sums + i * kTileLines, count,
                   operands.output_begin + (block + i) * output_plane_ + first,
                   operands.first_channel + block + i, 0});
      }
    }
  }
}

template <typename Byte>
void ByteConvolution::PackWindows(const Byte* input, std::int32_t zero_point,
                                  std::int64_t first_position, std::int64_t count,
                                  std::int16_t* lines) const {
  const std::int64_t width = window_[2].output;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t position = first_position + done;
    OutputRange columns{position % width, 0};
    columns.end = std::min(width, columns.begin + count - done);
    PackRow(input, zero_point, position / width, columns, lines + done * layout_.stride);
    done += columns.end - columns.begin;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    std::fill(lines + i * layout_.stride + layout_.inner,
              lines + i * layout_.stride + layout_.padded, std::int16_t{});
  }
}

/// The windows of neighbouring columns of one row of the output: element by element of the window,
/// so that the input is read along its rows.
template <typename Byte>
void ByteConvolution::PackRow(const Byte* input, std::int32_t zero_point, std::int64_t output_row,
                              const OutputRange& columns, std::int16_t* lines) const {
  const WindowAxis& width = window_[2];
  const std::int64_t count = columns.end - columns.begin;
  for (std::int64_t i = 0; i < count; ++i) {
    std::fill_n(lines + i * layout_.stride, layout_.inner, std::int16_t{});
  }
  for (std::int64_t c = 0; c < input_channels_; ++c) {
    const Byte* plane = input + c * input_plane_;
    std::int16_t* channel = lines + c * kernel_volume_;
    VisitInputRows(window_, output_row / window_[1].output, output_row % window_[1].output,
                   [&](std::int64_t kernel_row, std::int64_t input_row) {
                     for (std::int64_t k = 0; k < width.kernel; ++k) {
                       const OutputRange& covered = covered_columns_[static_cast<std::size_t>(k)];
                       const std::int64_t begin = std::max(covered.begin, columns.begin);
                       const std::int64_t end = std::min(covered.end, columns.end);
                       if (begin >= end) continue;
                       const Byte* from =
                           plane + input_row * width.input + width.GetInputIndex(begin, k);
                       std::int16_t* to = channel + kernel_row * width.kernel + k +
                                          (begin - columns.begin) * layout_.stride;
                       for (std::int64_t i = 0; i < end - begin; ++i) {
                         to[i * layout_.stride] =
                             static_cast<std::int16_t>(from[i * width.stride] - zero_point);
                       }
                     }
                   });
  }
}

void ByteConvolution::RunByRows(const Operands& operands, const RowScratch& scratch,
                                const SumSink& sink) const {
  const std::int64_t rows = window_[0].output * window_[1].output;
  const std::int64_t columns = window_[2].output;
  ToFloats(operands.input, operands.input_begin, input_channels_ * input_plane_,
           operands.input_zero_point, scratch.input);
  for (std::int64_t m = 0; m < output_channels_; ++m) {
    const std::int64_t channel = operands.first_channel + m;
    ToFloats(operands.weights.bytes, channel * layout_.inner, layout_.inner,
             operands.weights.zero_points.Of(channel), scratch.filter);
    for (std::int64_t row = 0; row < rows; ++row) {
      AddRows(scratch.input, scratch.filter, row, scratch.row);
      for (std::int64_t i = 0; i < columns; ++i) {
        scratch.sums[i] = static_cast<std::int32_t>(scratch.row[i]);
      }
      sink.Take({scratch.sums, columns, operands.output_begin + m * output_plane_ + row * columns,
                 channel, 0});
    }
  }
}

void ByteConvolution::AddRows(const float* input, const float* weights, std::int64_t output_row,
                              float* sums) const {
  const WindowAxis& width = window_[2];
  std::fill_n(sums, width.output, 0.0F);
  for (std::int64_t c = 0; c < input_channels_; ++c) {
    const float* plane = input + c * input_plane_;
    const float* kernel = weights + c * kernel_volume_;
    VisitInputRows(window_, output_row / window_[1].output, output_row % window_[1].output,
                   [&](std::int64_t kernel_row, std::int64_t input_row) {
                     for (std::int64_t k = 0; k < width.kernel; ++k) {
                       const OutputRange& covered = covered_columns_[static_cast<std::size_t>(k)];
                       if (covered.begin >= covered.end) continue;
                       AddScaledRow(
                           plane + input_row * width.input + width.GetInputIndex(covered.begin, k),
                           width.stride, kernel[kernel_row * width.kernel + k],
                           covered.end - covered.begin, sums + covered.begin);
                     }
                   });
  }
}

}  // namespace cpuref
}  // namespace backplane
