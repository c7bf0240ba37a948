#include "cpu_layers/joined_shape.hpp"
#include "cpu_layers/pooling_window.hpp"
#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/extremes.hpp"

#include <backplane/api/descriptors/max_pooling_with_indices.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// Of a window that lies in the padding alone.
constexpr std::int64_t kNoIndex = -1;

/// Elements, and where they lie in memory from the begin of their plane.
template <typename Number, typename Index>
struct Places {
  Number* values;
  Index* indices;
};

/// All rows of the input under a row of windows become one first, of the greatest element of each
/// column and its place; that is then reduced along the width. Of equal elements, and of those that
/// are NaN, the first in memory stays. `Index` holds every place in a plane.
template <typename Number, typename Index>
class MaxPoolingWithIndicesKernel : public Kernel {
 public:
  explicit MaxPoolingWithIndicesKernel(const Layer& layer)
      : MaxPoolingWithIndicesKernel(layer, layer.GetDescriptor<MaxPoolingWithIndicesDescriptor>()) {
  }

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(GetColumns()) * sizeof(Number) +
           static_cast<std::uint64_t>(GetColumns() + window_[2].output) * sizeof(Index);
  }

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* maxima = tensors.Output<Number>(0);
    auto* indices = tensors.Output<std::int64_t>(1);
    auto* scratch = tensors.GetScratch<Number>();
    auto* scratch_indices = reinterpret_cast<Index*>(scratch + GetColumns());
    const Places<Number, Index> columns = {scratch, scratch_indices};
    const std::int64_t input_plane = window_[0].input * window_[1].input * window_[2].input;
    for (std::int64_t plane = 0; plane < num_planes_; ++plane) {
      for (std::int64_t d = 0; d < window_[0].output; ++d) {
        for (std::int64_t h = 0; h < window_[1].output; ++h) {
          const Places<Number, Index> row = {maxima, scratch_indices + GetColumns()};
          ReduceRows(input + plane * input_plane, d, h, columns);
          ReduceWidth(columns, row);
          NumberPositions(plane * input_plane, row.indices, indices);
          maxima += window_[2].output;
          indices += window_[2].output;
        }
      }
    }
  }

 private:
  /// Behind every place.
  static constexpr Index kNowhere = std::numeric_limits<Index>::max();
  static constexpr Number kLeast = std::numeric_limits<Number>::has_infinity
                                       ? -std::numeric_limits<Number>::infinity()
                                       : std::numeric_limits<Number>::lowest();

  MaxPoolingWithIndicesKernel(const Layer& layer, const MaxPoolingWithIndicesDescriptor& descriptor)
      : index_order_(descriptor.index_order),
        window_(MakePoolingWindow(layer, descriptor)),
        covered_columns_(GetCoveredOutputs(window_[2])),
        num_planes_(layer.Input(0).shape[0] * layer.Input(0).shape[1]) {}

  /// Of a row of the input; an even number, so that what lies behind is aligned.
  std::int64_t GetColumns() const { return window_[2].input + window_[2].input % 2; }

  void ReduceRows(const Number* plane, std::int64_t d, std::int64_t h,
                  Places<Number, Index> columns) const {
    const std::int64_t length = window_[2].input;
    std::fill_n(columns.values, length, kLeast);
    std::fill_n(columns.indices, length, kNowhere);
    VisitInputRows(window_, d, h, [&](std::int64_t /*kernel_row*/, std::int64_t input_row) {
      TakeRow(plane + input_row * length, static_cast<Index>(input_row * length), length, columns);
    });
  }

  static void TakeRow(const Number* __restrict row, Index first, std::int64_t length,
                      Places<Number, Index> columns) {
    Number* __restrict greatest = columns.values;
    Index* __restrict indices = columns.indices;
    for (std::int64_t i = 0; i < length; ++i) {
      const bool is_taken = IsGreaterOrNaN()(row[i], greatest[i]) || indices[i] == kNowhere;
      greatest[i] = is_taken ? row[i] : greatest[i];
      indices[i] = is_taken ? static_cast<Index>(first + static_cast<Index>(i)) : indices[i];
    }
  }

  void ReduceWidth(Places<Number, Index> columns, Places<Number, Index> row) const {
    const WindowAxis& width = window_[2];
    std::fill_n(row.values, width.output, kLeast);
    std::fill_n(row.indices, width.output, kNowhere);
    for (std::int64_t k = 0; k < width.kernel; ++k) {
      const OutputRange covered = covered_columns_[static_cast<std::size_t>(k)];
      if (covered.begin == covered.end) continue;
      const std::int64_t begin = width.GetInputIndex(covered.begin, k);
      WithStride(width.stride, [&](auto stride) {
        TakeColumns({columns.values + begin, columns.indices + begin}, stride,
                    covered.end - covered.begin,
                    {row.values + covered.begin, row.indices + covered.begin});
      });
    }
  }

  template <typename Stride>
  static void TakeColumns(Places<Number, Index> columns, Stride stride, std::int64_t length,
                          Places<Number, Index> row) {
    const Number* __restrict values = columns.values;
    const Index* __restrict places = columns.indices;
    Number* __restrict greatest = row.values;
    Index* __restrict indices = row.indices;
    for (std::int64_t i = 0; i < length; ++i) {
      const Number value = values[i * stride];
      const Index place = places[i * stride];
      const bool is_equal = !IsGreaterOrNaN()(greatest[i], value) && place < indices[i];
      const bool is_taken = IsGreaterOrNaN()(value, greatest[i]) || is_equal;
      greatest[i] = is_taken ? value : greatest[i];
      indices[i] = is_taken ? place : indices[i];
    }
  }

  void NumberPositions(std::int64_t plane_begin, const Index* places, std::int64_t* indices) const {
    const bool is_column_major = index_order_ == IndexOrder::kColumnMajor;
    for (std::int64_t w = 0; w < window_[2].output; ++w) {
      const std::int64_t index = is_column_major ? GetColumnMajor(places[w]) : places[w];
      indices[w] = places[w] == kNowhere ? kNoIndex : index + plane_begin;
    }
  }

  std::int64_t GetColumnMajor(std::int64_t index) const {
    const std::int64_t w = index % window_[2].input;
    const std::int64_t row = index / window_[2].input;
    const std::int64_t h = row % window_[1].input;
    const std::int64_t d = row / window_[1].input;
    return (w * window_[1].input + h) * window_[0].input + d;
  }

  const IndexOrder index_order_;
  const Window window_;
  const std::vector<OutputRange> covered_columns_;
  const std::int64_t num_planes_;
};

/// Places of 32 bits are compared beside floats.
template <typename Number>
using NarrowKernel = MaxPoolingWithIndicesKernel<Number, std::int32_t>;

template <typename Number>
using WideKernel = MaxPoolingWithIndicesKernel<Number, std::int64_t>;

bool FitPlacesInt32(const TensorShape& input) {
  return CountElements(input, 2, input.rank - 2) <= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

std::string FindRefusalOfMaxPoolingWithIndices(const Layer& layer) {
  Refusal refusal;
  const auto descriptor = layer.GetDescriptor<MaxPoolingWithIndicesDescriptor>();
  RequireNumbers(layer, refusal, {{}, {TensorRole::kValue, TensorRole::kInt64}});
  if (descriptor.index_order != IndexOrder::kRowMajor &&
      descriptor.index_order != IndexOrder::kColumnMajor) {
    refusal.Add("index order ", static_cast<std::uint32_t>(descriptor.index_order),
                " is not supported, only RowMajor (1) and ColumnMajor (2)");
  }
  CheckPooling(layer, descriptor, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeMaxPoolingWithIndices(const Layer& layer) {
  if (FitPlacesInt32(layer.Input(0).shape)) return MakeNumberKernel<NarrowKernel>(layer);
  return MakeNumberKernel<WideKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
