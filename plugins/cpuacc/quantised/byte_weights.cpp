#include "quantised/byte_weights.hpp"

#include "cpu_layers/divide_up.hpp"
#include "cpu_layers/scales.hpp"
#include "memory/aligned_memory.hpp"
#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

/// Panels of bytes, of halves where all fit, and behind them their scales and zero points.
class PackedBytes {
 public:
  PackedBytes(const GraphTensor& matrix, const ByteMatrixShape& shape)
      : matrix_(matrix),
        shape_(shape),
        bytes_(static_cast<const std::uint8_t*>(matrix.content.get())),
        are_halves_(FitIntoHalves()),
        panel_bytes_(shape.inner / (are_halves_ ? 2 : 1) * kPanelColumns) {}

  std::shared_ptr<const void> Pack() const {
    std::shared_ptr<void> packed = AllocateAligned(
        CountBytes() + 2 * static_cast<std::uint64_t>(CountScales()) * sizeof(float));
    auto* to = static_cast<std::uint8_t*>(packed.get());
    for (std::int64_t panel = 0; panel < CountPanels(); ++panel) PackPanel(panel, to);
    auto* scales = reinterpret_cast<float*>(to + CountBytes());
    PackScales(scales, scales + CountScales());
    return packed;
  }

  /// Where they lie in what Pack gave.
  void Find(const void* packed, ByteWeights& product) const {
    product.b = static_cast<const std::uint8_t*>(packed);
    product.are_halves = are_halves_;
    product.scales = reinterpret_cast<const float*>(product.b + CountBytes());
    product.zero_points = product.scales + CountScales();
  }

 private:
  bool FitIntoHalves() const {
    constexpr std::uint8_t kMostHalf = 15;
    if (shape_.block % 2 != 0 || matrix_.info.data_type == DataType::kInt8) return false;
    std::uint8_t bits = 0;
    const std::int64_t count = matrix_.info.shape.GetNumElements();
    for (std::int64_t i = 0; i < count; ++i) bits |= bytes_[i];
    return bits <= kMostHalf;
  }

  std::int64_t CountPanels() const { return cpu_layers::DivideUp(shape_.columns, kPanelColumns); }
  std::uint64_t CountBytes() const {
    return RoundUp(static_cast<std::uint64_t>(CountPanels() * panel_bytes_));
  }
  std::int64_t CountBlocks() const { return shape_.inner / shape_.block; }
  std::int64_t CountScales() const { return CountPanels() * CountBlocks() * kPanelColumns; }

  /// Columns that are not there are 0. Bytes of int8 are packed as uint8 that are 128 greater.
  void PackPanel(std::int64_t panel, std::uint8_t* packed) const {
    const auto flip = static_cast<std::uint8_t>(GetSignBit(matrix_.info));
    const std::int64_t first = panel * kPanelColumns;
    const std::int64_t count = std::min(kPanelColumns, shape_.columns - first);
    const std::int64_t step = shape_.is_transposed ? 1 : shape_.columns;
    const std::int64_t column_step = shape_.is_transposed ? shape_.inner : 1;
    const std::uint8_t* from = bytes_ + first * column_step;
    std::uint8_t* to = packed + panel * panel_bytes_;
    if (count < kPanelColumns) std::fill_n(to, panel_bytes_, std::uint8_t{0});
    if (are_halves_) {
      for (std::int64_t i = 0; i < shape_.inner; i += 2, to += kPanelColumns) {
        const std::uint8_t* const pair = from + i * step;
        for (std::int64_t column = 0; column < count; ++column) {
          const std::uint8_t* const both = pair + column * column_step;
          to[column] = static_cast<std::uint8_t>(both[0] | both[step] << 4);
        }
      }
      return;
    }
    for (std::int64_t i = 0; i < shape_.inner; ++i, to += kPanelColumns) {
      for (std::int64_t column = 0; column < count; ++column) {
        to[column] = static_cast<std::uint8_t>(from[i * step + column * column_step] ^ flip);
      }
    }
  }

  void PackScales(float* scales, float* zero_points) const {
    const auto flip = static_cast<float>(GetSignBit(matrix_.info));
    std::fill_n(scales, CountScales(), 0.0F);
    std::fill_n(zero_points, CountScales(), 0.0F);
    for (std::int64_t column = 0; column < shape_.columns; ++column) {
      for (std::int64_t block = 0; block < CountBlocks(); ++block) {
        const std::int64_t to = (column / kPanelColumns * CountBlocks() + block) * kPanelColumns +
                                column % kPanelColumns;
        const auto from = static_cast<std::size_t>(column * CountBlocks() + block);
        scales[to] = cpu_layers::GetScale(matrix_.info, from);
        zero_points[to] = static_cast<float>(cpu_layers::GetZeroPoint(matrix_.info, from)) + flip;
      }
    }
  }

  const GraphTensor& matrix_;
  const ByteMatrixShape shape_;
  const std::uint8_t* const bytes_;
  const bool are_halves_;
  const std::int64_t panel_bytes_;
};

class ByteWeightKernel : public Kernel {
 public:
  ByteWeightKernel(const ByteWeights& product, std::shared_ptr<const void> packed)
      : product_(product), packed_(std::move(packed)) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(product_.rows * CountBlocks()) * sizeof(float);
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kProductsOfThread = std::int64_t{1} << 16;
    ByteWeights product = product_;
    product.a = run.Input<float>(0);
    product.result = run.Output<float>();
    auto* sums = run.GetScratch<float>();
    for (std::int64_t block = 0; block < product.rows * CountBlocks(); ++block) {
      const float* const a = product.a + block * product.block;
      sums[block] = 0.0F;
      for (std::int64_t i = 0; i < product.block; ++i) sums[block] += a[i];
    }
    product.sums = sums;
    ParallelFor(run.threads, cpu_layers::DivideUp(product.columns, kPanelColumns),
                kProductsOfThread / (product.inner * kPanelColumns) + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  functions_.multiply_byte_weights(product, begin, end);
                });
  }

 private:
  std::int64_t CountBlocks() const { return product_.inner / product_.block; }

  const ByteWeights product_;
  const std::shared_ptr<const void> packed_;
  const ProductFunctions& functions_ = GetSimdFunctions().products;
};

}  // namespace

ByteMatrixShape FindByteMatrix(const TensorInfo& matrix, std::int64_t inner, std::int64_t columns,
                               bool is_transposed) {
  const QuantizationInfo& quantization = matrix.quantization;
  const auto num_scales = static_cast<std::int64_t>(quantization.scales.size());
  if (matrix.shape.rank != 2 || matrix.shape.GetNumElements() != inner * columns) return {};
  if (!quantization.IsPerAxis()) return {inner, columns, inner, is_transposed};
  const bool is_first = quantization.axis == 0;
  if (!is_transposed) {
    return is_first || num_scales != columns ? ByteMatrixShape()
                                             : ByteMatrixShape{inner, columns, inner, false};
  }
  // Rows of the tensor are parts of columns.
  if (!is_first || num_scales % columns != 0) return {};
  return {inner, columns, matrix.shape[1], true};
}

std::unique_ptr<const Kernel> MakeByteWeightProduct(KernelMaker& maker) {
  const TensorShape& rows = maker.GetInput(0).info.shape;
  const TensorShape& result = maker.GetOutput().info.shape;
  const auto descriptor = maker.GetNode().GetDescriptor<BatchMatMulDescriptor>();
  const ByteMatrixShape shape =
      FindByteMatrix(maker.GetInput(1).info, rows[rows.rank - 1], result[result.rank - 1],
                     descriptor.transpose_b == 1);
  maker.WantPlain(0);
  const PackedBytes bytes(maker.GetInput(1), shape);
  ByteWeights product;
  product.rows = rows.GetNumElements() / shape.inner;
  product.inner = shape.inner;
  product.columns = shape.columns;
  product.block = shape.block;
  product.a_row_step = shape.inner;
  product.result_row_step = shape.columns;
  const std::string order = shape.is_transposed ? " by columns" : " by rows";
  const auto packed =
      maker.PackTogether({1}, "byte weights of " + std::to_string(shape.columns) + order,
                         [&] { return bytes.Pack(); });
  bytes.Find(packed.get(), product);
  return std::make_unique<ByteWeightKernel>(product, packed);
}

}  // namespace cpuacc
}  // namespace backplane
