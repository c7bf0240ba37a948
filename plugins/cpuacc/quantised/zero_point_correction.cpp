#include "quantised/zero_point_correction.hpp"

#include "simd/simd.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

std::int32_t ReadByte(DataType type, const void* bytes, std::int64_t index) {
  return type == DataType::kInt8 ? static_cast<const std::int8_t*>(bytes)[index]
                                 : static_cast<const std::uint8_t*>(bytes)[index];
}

/// The sum over all rows of each column.
void AddUpColumns(const TensorInfo& matrix, const void* content, std::int32_t* sums) {
  const std::int64_t columns = matrix.shape[1];
  std::fill_n(sums, columns, 0);
  for (std::int64_t i = 0; i < matrix.shape.GetNumElements(); ++i) {
    sums[i % columns] += ReadByte(matrix.data_type, content, i);
  }
}

/// (a - za) * (b - zb), summed up, is sum(a * b) - za * sum(b) - zb * (sum(a) - count * za).
class ZeroPointCorrection : public Kernel {
 public:
  /// `column_sums`: empty when the matrix is known only in the run.
  ZeroPointCorrection(const KernelMaker& maker, std::vector<std::int32_t> column_sums)
      : rows_(maker.GetInput(0).info),
        matrix_(maker.GetInput(1).info),
        num_zero_points_(maker.GetNumInputs() > 3 ? maker.GetInput(3).info.shape.GetNumElements()
                                                  : 0),
        column_sums_(std::move(column_sums)) {}

  std::uint64_t GetScratchBytes() const override {
    return static_cast<std::uint64_t>(2 * matrix_.shape[1]) * sizeof(std::int32_t);
  }

  void Run(const KernelRun& run) const override {
    const std::int64_t inner = matrix_.shape[0];
    const std::int64_t columns = matrix_.shape[1];
    const std::int32_t zero_point = ReadByte(rows_.data_type, run.inputs[2], 0);
    auto* zero_points = run.GetScratch<std::int32_t>();
    const bool has_zero_points = ReadZeroPoints(run, zero_points);
    if (zero_point == 0 && !has_zero_points) return;
    const std::int32_t* column_sums = FindColumnSums(run, zero_points + columns);
    constexpr std::int64_t kWorthAThread = 32768;
    ParallelFor(run.threads, rows_.shape.GetNumElements() / inner, kWorthAThread / columns + 1,
                [&](std::int64_t begin, std::int64_t end) {
                  for (std::int64_t row = begin; row < end; ++row) {
                    const std::int32_t row_sum =
                        has_zero_points ? AddUpRow(run, row, zero_point) : 0;
                    functions_.subtract(column_sums, zero_point, zero_points, row_sum,
                                        run.Output<std::int32_t>() + row * columns, columns);
                  }
                });
  }

 private:
  /// Of the columns. False when all are 0.
  bool ReadZeroPoints(const KernelRun& run, std::int32_t* zero_points) const {
    bool has_any = false;
    for (std::int64_t i = 0; i < matrix_.shape[1]; ++i) {
      zero_points[i] = num_zero_points_ == 0
                           ? 0
                           : ReadByte(matrix_.data_type, run.inputs[3], i % num_zero_points_);
      has_any = has_any || zero_points[i] != 0;
    }
    return has_any;
  }

  const std::int32_t* FindColumnSums(const KernelRun& run, std::int32_t* scratch) const {
    if (!column_sums_.empty()) return column_sums_.data();
    AddUpColumns(matrix_, run.inputs[1], scratch);
    return scratch;
  }

  /// Less the zero point.
  std::int32_t AddUpRow(const KernelRun& run, std::int64_t row, std::int32_t zero_point) const {
    const std::int64_t inner = matrix_.shape[0];
    std::int64_t sum = -inner * zero_point;
    for (std::int64_t i = row * inner; i < (row + 1) * inner; ++i) {
      sum += ReadByte(rows_.data_type, run.inputs[0], i);
    }
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum));
  }

  const TensorInfo rows_;
  const TensorInfo matrix_;
  const std::int64_t num_zero_points_;
  const std::vector<std::int32_t> column_sums_;
  const ByteProductFunctions& functions_ = GetSimdFunctions().byte_products;
};

}  // namespace

std::unique_ptr<const Kernel> MakeZeroPointCorrection(KernelMaker& maker) {
  const GraphTensor& matrix = maker.GetInput(1);
  std::vector<std::int32_t> column_sums;
  if (matrix.IsConstant()) {
    column_sums.resize(static_cast<std::size_t>(matrix.info.shape[1]));
    AddUpColumns(matrix.info, matrix.content.get(), column_sums.data());
  }
  for (std::uint32_t input = 0; input < maker.GetNumInputs(); ++input) {
    if (input != 1) maker.WantPlain(input);
  }
  return std::make_unique<ZeroPointCorrection>(maker, std::move(column_sums));
}

}  // namespace cpuacc
}  // namespace backplane
