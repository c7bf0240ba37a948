#include "cpu_layers/divide_up.hpp"
#include "kernel_builders/primitive.hpp"
#include "memory/aligned_memory.hpp"
#include "quantised/quantised_product.hpp"
#include "quantised/quantised_types.hpp"
#include "quantised/zero_point_correction.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <dnnl.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

std::int64_t CountPanels(const ByteMatrices& matrices) {
  return cpu_layers::DivideUp(matrices.columns, kByteFilters);
}

std::int64_t CountGroups(const ByteMatrices& matrices) {
  return cpu_layers::DivideUp(matrices.inner, kByteGroup);
}

std::int64_t CountPanelBytes(const ByteMatrices& matrices) {
  return CountGroups(matrices) * kByteGroup * kByteFilters;
}

std::uint64_t CountSumBytes(const ByteMatrices& matrices) {
  return RoundUp(static_cast<std::uint64_t>(CountPanels(matrices) * kByteFilters) *
                 sizeof(std::int32_t));
}

/// Lays out one panel, and adds up its columns.
void PackPanel(const std::int8_t* from, std::int64_t step, std::int64_t column_step,
               std::int64_t inner, std::int64_t num_columns, std::int8_t* to, std::int32_t* sums) {
  for (std::int64_t k = 0; k < inner; ++k) {
    std::int8_t* const group = to + k / kByteGroup * kByteGroup * kByteFilters + k % kByteGroup;
    for (std::int64_t i = 0; i < num_columns; ++i) {
      const std::int8_t element = from[k * step + i * column_step];
      group[i * kByteGroup] = element;
      sums[i] += element;
    }
  }
}

/// The sums of the columns, and behind them the panels.
std::shared_ptr<const void> Pack(const std::int8_t* from, const ByteMatrices& matrices) {
  const std::uint64_t sum_bytes = CountSumBytes(matrices);
  const std::int64_t panel_bytes = CountPanelBytes(matrices);
  const std::uint64_t size_bytes =
      sum_bytes + static_cast<std::uint64_t>(CountPanels(matrices) * panel_bytes);
  std::shared_ptr<void> packed = AllocateAligned(size_bytes);
  auto* const bytes = static_cast<std::int8_t*>(packed.get());
  std::fill_n(bytes, size_bytes, std::int8_t{0});
  auto* const sums = reinterpret_cast<std::int32_t*>(bytes);
  const std::int64_t step = matrices.is_transposed ? 1 : matrices.columns;
  const std::int64_t column_step = matrices.is_transposed ? matrices.inner : 1;
  for (std::int64_t panel = 0; panel < CountPanels(matrices); ++panel) {
    const std::int64_t first = panel * kByteFilters;
    PackPanel(from + first * column_step, step, column_step, matrices.inner,
              std::min(kByteFilters, matrices.columns - first),
              bytes + sum_bytes + panel * panel_bytes, sums + first);
  }
  return packed;
}

class BytePanelKernel : public Kernel {
 public:
  BytePanelKernel(const KernelMaker& maker, const ByteMatrices& matrices,
                  ZeroPointInput zero_points, std::shared_ptr<const void> packed)
      : matrices_(matrices),
        flip_(static_cast<std::uint8_t>(GetSignBit(maker.GetInput(0).info))),
        zero_points_(std::move(zero_points)),
        packed_(std::move(packed)) {}

  std::uint64_t GetScratchBytes() const override {
    return GetZeroPointBytes() + (HasWholeGroups() ? 0 : CountRowBytes());
  }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kProductsOfThread = std::int64_t{1} << 18;
    constexpr std::int64_t kProductsUntilStopped = std::int64_t{1} << 26;
    auto* const zero_points = run.GetScratch<std::int32_t>();
    for (std::int64_t row = 0; row < matrices_.rows; ++row) {
      zero_points[row] = zero_points_.Read(run, row) + flip_;
    }
    const auto* const packed = static_cast<const std::int8_t*>(packed_.get());
    BytePanels product;
    product.rows = matrices_.rows;
    product.num_groups = CountGroups(matrices_);
    product.columns = matrices_.columns;
    product.a = run.Input<unsigned char>(0);
    product.a_row_step = matrices_.inner;
    if (!HasWholeGroups()) {
      FillUpRows(run.GetScratch<unsigned char>() + GetZeroPointBytes(), product);
    }
    product.flip = flip_;
    product.zero_points = zero_points;
    product.b = packed + CountSumBytes(matrices_);
    product.column_sums = reinterpret_cast<const std::int32_t*>(packed);
    product.result = run.Output<std::int32_t>();
    const std::int64_t products_of_panel = matrices_.rows * matrices_.inner * kByteFilters;
    ParallelFor(run.threads, CountPanels(matrices_), kProductsOfThread / products_of_panel + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  UntilStopped(run.threads, begin, end,
                               kProductsUntilStopped / products_of_panel + 1,
                               [&](std::int64_t first, std::int64_t last) {
                                 functions_.multiply_panels(product, first, last);
                               });
                });
  }

 private:
  bool HasWholeGroups() const { return matrices_.inner % kByteGroup == 0; }
  std::uint64_t GetZeroPointBytes() const {
    return RoundUp(static_cast<std::uint64_t>(matrices_.rows) * sizeof(std::int32_t));
  }
  std::uint64_t CountRowBytes() const {
    return static_cast<std::uint64_t>(matrices_.rows * CountGroups(matrices_) * kByteGroup);
  }

  /// Copies the rows to where they have whole groups.
  void FillUpRows(unsigned char* to, BytePanels& product) const {
    const unsigned char* from = product.a;
    product.a = to;
    product.a_row_step = product.num_groups * kByteGroup;
    for (std::int64_t row = 0; row < matrices_.rows; ++row) {
      std::fill(std::copy_n(from, matrices_.inner, to), to + product.a_row_step, std::uint8_t{0});
      from += matrices_.inner;
      to += product.a_row_step;
    }
  }

  const ByteMatrices matrices_;
  const std::uint8_t flip_;
  const ZeroPointInput zero_points_;
  const std::shared_ptr<const void> packed_;
  const ByteProductFunctions& functions_ = GetSimdFunctions().byte_products;
};

bool AreZero(const ZeroPointInput& zero_points) {
  if (!zero_points.AreKnown()) return false;
  for (std::int64_t i = 0; i < zero_points.GetCount(); ++i) {
    if (zero_points.GetKnown(i) != 0) return false;
  }
  return true;
}

/// With AMX, oneDNN multiplies many rows several times as fast.
bool IsFastest(const ByteMatrices& matrices) {
  constexpr std::int64_t kMostRowsWithAmx = 16;
  return matrices.rows <= kMostRowsWithAmx ||
         dnnl::get_effective_cpu_isa() != dnnl::cpu_isa::avx512_core_amx;
}

bool CanMultiply(const KernelMaker& maker, const ByteMatrices& matrices) {
  const GraphTensor& weights = maker.GetInput(1);
  return GetSimdFunctions().byte_products.multiply_panels != nullptr && weights.IsConstant() &&
         weights.info.data_type == DataType::kInt8 && matrices.rows > 0 && matrices.inner > 0 &&
         weights.info.shape.GetNumElements() == matrices.inner * matrices.columns;
}

}  // namespace

std::unique_ptr<const Kernel> MakeBytePanelProduct(KernelMaker& maker, const ByteMatrices& matrices,
                                                   const ZeroPointInputs& zero_points) {
  if (!CanMultiply(maker, matrices) || !IsFastest(matrices)) return nullptr;
  maker.WantPlain(0);
  const std::string order = matrices.is_transposed ? " by columns" : " by rows";
  const auto packed = maker.PackTogether(
      {1}, "panels of bytes, of " + std::to_string(matrices.columns) + order, [&] {
        return Pack(static_cast<const std::int8_t*>(maker.GetInput(1).content.get()), matrices);
      });
  const bool is_whole = AreZero(zero_points.weights);
  std::vector<std::unique_ptr<const Kernel>> kernels;
  kernels.push_back(std::make_unique<BytePanelKernel>(
      maker, matrices, is_whole ? zero_points.elements : ZeroPointInput(0), packed));
  if (!is_whole) kernels.push_back(MakeZeroPointCorrection(maker, matrices, zero_points));
  return MakeSequence(std::move(kernels));
}

}  // namespace cpuacc
}  // namespace backplane
