#pragma once

/// What is done along rows of float32, and along columns of neighbouring rows.

#include <cstddef>
#include <cstdint>

namespace backplane {
namespace cpuacc {

/// How elements are folded into one number. NaN in an element gives NaN.
enum class Reduction : std::uint32_t {
  kSum,
  kMagnitudes,         // sum of them
  kSquares,            // sum of them
  kSquareDifferences,  // sum of the squares of the differences to a number
  kProduct,
  kMaximum,
  kMinimum,
};
constexpr std::size_t kNumReductions = static_cast<std::size_t>(Reduction::kMinimum) + 1;

/// Rows of `width` elements, each `step` elements behind the one before.
struct Panel {
  std::int64_t num_rows = 1;
  std::int64_t step = 0;
  std::int64_t width = 1;
};

/// Loops over rows and panels. Sums are made in double. Where there is an output `y`, it lies like
/// the input, and may be the input.
struct RowFunctions {
  /// What becomes of `state` when all elements are folded into it. `origin` is for differences.
  using ReduceRow = double (*)(const float* x, std::int64_t count, double state, double origin);
  /// The same for each column, with a state and an origin for each.
  using ReduceColumns = void (*)(const float* x, const Panel& panel, double* states,
                                 const double* origins);

  ReduceRow reduce_row[kNumReductions] = {};
  ReduceColumns reduce_columns[kNumReductions] = {};

  /// The sum of exp(factor * (x - extreme)), whose exponents are not above 0. The difference comes
  /// first: a fused multiply-add would keep what the greatest product loses by rounding.
  double (*sum_exponentials)(const float* x, std::int64_t count, float factor,
                             float extreme) = nullptr;
  /// The same, and stores them.
  double (*store_exponentials)(const float* x, float* y, std::int64_t count, float factor,
                               float extreme) = nullptr;
  /// Adds those of each column to its sum.
  void (*sum_column_exponentials)(const float* x, const Panel& panel, float factor,
                                  const double* extremes, double* sums) = nullptr;
  /// The same, and stores them.
  void (*store_column_exponentials)(const float* x, float* y, const Panel& panel, float factor,
                                    const double* extremes, double* sums) = nullptr;

  /// x * factor
  void (*scale_row)(const float* x, float* y, std::int64_t count, float factor) = nullptr;
  /// The same with a factor for each column.
  void (*scale_columns)(const float* x, float* y, const Panel& panel,
                        const double* factors) = nullptr;

  /// (x - mean) * factor + addend
  void (*normalize_row)(const float* x, float* y, std::int64_t count, double mean, float factor,
                        float addend) = nullptr;
  /// The same with numbers for each column.
  void (*normalize_columns)(const float* x, float* y, const Panel& panel, const double* means,
                            const double* factors, const double* addends) = nullptr;
  /// (x - mean) * factor * scale[i] + bias[i]; null: without a bias.
  void (*normalize_and_scale_row)(const float* x, float* y, std::int64_t count, double mean,
                                  float factor, const float* scale, const float* bias) = nullptr;

  /// x / (bias + factor * sums[i])^power; the base is above 0.
  void (*divide_by_powers)(const float* x, float* y, std::int64_t count, const double* sums,
                           float bias, float factor, float power) = nullptr;

  /// The index of the first element that is `value`, or NaN where that is NaN. There is one.
  std::int64_t (*find_first)(const float* x, std::int64_t count, float value) = nullptr;
  std::int64_t (*find_last)(const float* x, std::int64_t count, float value) = nullptr;
  /// For each column the first row where `sign` * x is greatest, or NaN where there is one. The
  /// sign is 1 or -1.
  void (*find_greatest)(const float* x, const Panel& panel, float sign,
                        std::int64_t* rows) = nullptr;

  ReduceRow GetRow(Reduction reduction) const {
    return reduce_row[static_cast<std::size_t>(reduction)];
  }
  ReduceColumns GetColumns(Reduction reduction) const {
    return reduce_columns[static_cast<std::size_t>(reduction)];
  }
};

/// What nothing is folded to.
inline double GetStart(Reduction reduction) {
  if (reduction == Reduction::kMaximum) return -__builtin_inf();
  if (reduction == Reduction::kMinimum) return __builtin_inf();
  return reduction == Reduction::kProduct ? 1.0 : 0.0;
}

}  // namespace cpuacc
}  // namespace backplane
