#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/pooling_window.hpp"
#include "refusal.hpp"

#include <backplane/api/descriptors/max_pooling_with_indices.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace backplane {
namespace cpuref {
namespace {

/// Of a window that lies in the padding alone.
constexpr std::int64_t kNoIndex = -1;

/// A greater value, or the first NaN, takes the place; so does anything in a window that had
/// nothing yet.
template <typename Number>
bool TakesPlace(Number value, Number so_far, std::int64_t index) {
  return index == kNoIndex || value > so_far || (value != value && so_far == so_far);
}

template <typename Number>
class MaxPoolingWithIndicesKernel : public Kernel {
 public:
  explicit MaxPoolingWithIndicesKernel(const Layer& layer)
      : MaxPoolingWithIndicesKernel(layer, layer.GetDescriptor<MaxPoolingWithIndicesDescriptor>()) {
  }

  void Run(const RunTensors& tensors) const override {
    const Number* input = tensors.Input<Number>(0);
    Number* maxima = tensors.Output<Number>(0);
    auto* indices = tensors.Output<std::int64_t>(1);
    const std::int64_t input_plane = window_[0].input * window_[1].input * window_[2].input;
    for (std::int64_t plane = 0; plane < num_planes_; ++plane) {
      for (std::int64_t d = 0; d < window_[0].output; ++d) {
        for (std::int64_t h = 0; h < window_[1].output; ++h) {
          MakeRow(input + plane * input_plane, d, h, maxima, indices);
          NumberPositions(plane * input_plane, indices);
          maxima += window_[2].output;
          indices += window_[2].output;
        }
      }
    }
  }

 private:
  MaxPoolingWithIndicesKernel(const Layer& layer, const MaxPoolingWithIndicesDescriptor& descriptor)
      : index_order_(descriptor.index_order),
        window_(MakePoolingWindow(layer, descriptor)),
        covered_columns_(GetCoveredOutputs(window_[2])),
        num_planes_(layer.Input(0).shape[0] * layer.Input(0).shape[1]) {}

  /// Maxima, and where they lie in memory from the begin of the plane.
  void MakeRow(const Number* plane, std::int64_t d, std::int64_t h, Number* maxima,
               std::int64_t* indices) const {
    const WindowAxis& width = window_[2];
    std::fill_n(maxima, width.output,
                std::numeric_limits<Number>::has_infinity ? -std::numeric_limits<Number>::infinity()
                                                          : std::numeric_limits<Number>::lowest());
    std::fill_n(indices, width.output, kNoIndex);
    VisitInputRows(window_, d, h, [&](std::int64_t /*kernel_row*/, std::int64_t input_row) {
      for (std::int64_t k = 0; k < width.kernel; ++k) {
        const OutputRange covered = covered_columns_[static_cast<std::size_t>(k)];
        for (std::int64_t w = covered.begin; w < covered.end; ++w) {
          const std::int64_t index = input_row * width.input + width.GetInputIndex(w, k);
          if (!TakesPlace(plane[index], maxima[w], indices[w])) continue;
          maxima[w] = plane[index];
          indices[w] = index;
        }
      }
    });
  }

  void NumberPositions(std::int64_t plane_begin, std::int64_t* indices) const {
    for (std::int64_t w = 0; w < window_[2].output; ++w) {
      if (indices[w] == kNoIndex) continue;
      if (index_order_ == IndexOrder::kColumnMajor) indices[w] = GetColumnMajor(indices[w]);
      indices[w] += plane_begin;
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
  return MakeNumberKernel<MaxPoolingWithIndicesKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
