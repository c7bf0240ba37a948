#include "quantised/zero_point_correction.hpp"

#include "quantised/quantised_types.hpp"
#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

template <typename Byte>
std::int64_t AddUp(const Byte* bytes, std::int64_t count) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += bytes[i];
  return sum;
}

/// The sum of each column, of elements less `shift`.
void AddUpColumns(DataType type, const ByteMatrices& matrices, std::int32_t shift,
                  const void* content, std::int32_t* sums) {
  const std::int64_t columns = matrices.columns;
  std::fill_n(sums, columns, static_cast<std::int32_t>(-shift * matrices.inner));
  VisitBytes(type, content, [&](const auto* bytes) {
    for (std::int64_t i = 0; i < columns && matrices.is_transposed; ++i) {
      sums[i] += static_cast<std::int32_t>(AddUp(bytes + i * matrices.inner, matrices.inner));
    }
    for (std::int64_t row = 0; row < matrices.inner && !matrices.is_transposed; ++row) {
      for (std::int64_t i = 0; i < columns; ++i) sums[i] += bytes[row * columns + i];
    }
  });
}

/// (a - za) * (b - zb), summed up, is sum(a * b) - za * sum(b) - zb * (sum(a) - count * za).
class ZeroPointCorrection : public Kernel {
 public:
  /// `column_sums`: empty when the matrix is known only in the run.
  ZeroPointCorrection(const KernelMaker& maker, const ByteMatrices& matrices,
                      const ZeroPointInputs& zero_points, std::int32_t matrix_shift,
                      std::vector<std::int32_t> column_sums)
      : matrices_(matrices),
        row_type_(maker.GetInput(0).info.data_type),
        matrix_type_(maker.GetInput(1).info.data_type),
        zero_points_(zero_points),
        matrix_shift_(matrix_shift),
        column_sums_(std::move(column_sums)) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(2 * matrices_.columns) * sizeof(std::int32_t);
  }

  void Run(const KernelRun& run) const override {
    const std::int64_t columns = matrices_.columns;
    auto* of_columns = run.GetScratch<std::int32_t>();
    const bool have_columns = ReadZeroPoints(run, of_columns);
    if (!have_columns && !HaveRows(run)) return;
    const std::int32_t* column_sums = FindColumnSums(run, of_columns + columns);
    constexpr std::int64_t kWorthAThread = 32768;
    ParallelFor(run.threads, matrices_.rows, kWorthAThread / columns + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t row = begin; row < end; ++row) {
                    const std::int32_t zero_point = zero_points_.elements.Read(run, row);
                    const std::int32_t row_sum = have_columns ? AddUpRow(run, row, zero_point) : 0;
                    functions_.subtract(column_sums, zero_point, of_columns, row_sum,
                                        run.Output<std::int32_t>() + row * columns, columns);
                  }
                });
  }

 private:
  /// Of the columns. False when all are 0.
  bool ReadZeroPoints(const KernelRun& run, std::int32_t* zero_points) const {
    bool have_any = false;
    for (std::int64_t i = 0; i < matrices_.columns; ++i) {
      zero_points[i] = zero_points_.weights.Read(run, i) - matrix_shift_;
      have_any = have_any || zero_points[i] != 0;
    }
    return have_any;
  }

  bool HaveRows(const KernelRun& run) const {
    const ZeroPointInput& rows = zero_points_.elements;
    for (std::int64_t i = 0; i < rows.GetCount(); ++i) {
      if (rows.Read(run, i) != 0) return true;
    }
    return false;
  }

  const std::int32_t* FindColumnSums(const KernelRun& run, std::int32_t* scratch) const {
    if (!column_sums_.empty()) return column_sums_.data();
    AddUpColumns(matrix_type_, matrices_, matrix_shift_, run.inputs[1], scratch);
    return scratch;
  }

  /// Less the zero point.
  std::int32_t AddUpRow(const KernelRun& run, std::int64_t row, std::int32_t zero_point) const {
    const std::int64_t inner = matrices_.inner;
    const std::int64_t sum =
        VisitBytes(row_type_, run.inputs[0],
                   [&](const auto* bytes) { return AddUp(bytes + row * inner, inner); }) -
        inner * zero_point;
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
  }

  const ByteMatrices matrices_;
  const DataType row_type_;
  const DataType matrix_type_;
  const ZeroPointInputs zero_points_;
  const std::int32_t matrix_shift_;
  const std::vector<std::int32_t> column_sums_;
  const ByteProductFunctions& functions_ = GetSimdFunctions().byte_products;
};

}  // namespace

std::unique_ptr<const Kernel> MakeZeroPointCorrection(const KernelMaker& maker,
                                                      const ByteMatrices& matrices,
                                                      const ZeroPointInputs& zero_points,
                                                      std::int32_t matrix_shift) {
  const GraphTensor& matrix = maker.GetInput(1);
  std::vector<std::int32_t> column_sums;
  if (matrix.IsConstant() &&
      matrix.info.shape.GetNumElements() == matrices.inner * matrices.columns) {
    column_sums.resize(static_cast<std::size_t>(matrices.columns));
    AddUpColumns(matrix.info.data_type, matrices, matrix_shift, matrix.content.get(),
                 column_sums.data());
  }
  return std::make_unique<ZeroPointCorrection>(maker, matrices, zero_points, matrix_shift,
                                               std::move(column_sums));
}

}  // namespace cpuacc
}  // namespace backplane
