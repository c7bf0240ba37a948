#include "kernels/matrix_multiply.hpp"

namespace backplane {
namespace cpuref {
namespace {

template <typename Number>
void AddScaledRow(std::int64_t columns, Number factor, const Number* __restrict row,
                  Number* __restrict result) {
  for (std::int64_t j = 0; j < columns; ++j) result[j] += factor * row[j];
}

/// For a `b` whose rows are contiguous: whole rows are added, so that the innermost loop runs along
/// a row of `b` and of the result.
template <typename Number>
void AddByRows(const MatrixProduct& product, const Number* a, const Number* b, Number* result) {
  for (std::int64_t i = 0; i < product.rows; ++i) {
    for (std::int64_t k = 0; k < product.inner; ++k) {
      const Number factor = a[i * product.a.row_step + k * product.a.column_step];
      AddScaledRow(product.columns, factor, b + k * product.b.row_step,
                   result + i * product.columns);
    }
  }
}

/// Several partial sums: one alone could not be vectorised without changing the order of additions.
template <typename Number>
Number GetDotProduct(std::int64_t length, const Number* a, std::int64_t step_a, const Number* b) {
  constexpr std::int64_t kLanes = 16;
  Number sums[kLanes] = {};
  std::int64_t k = 0;
  for (; k + kLanes <= length; k += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += a[(k + lane) * step_a] * b[k + lane];
    }
  }
  Number total = 0;
  for (; k < length; ++k) total += a[k * step_a] * b[k];
  for (const Number sum : sums) total += sum;
  return total;
}

/// For a `b` whose columns are contiguous: the innermost loop runs down a column of `b`.
template <typename Number>
void AddByColumns(const MatrixProduct& product, const Number* a, const Number* b, Number* result) {
  for (std::int64_t i = 0; i < product.rows; ++i) {
    const Number* row = a + i * product.a.row_step;
    for (std::int64_t j = 0; j < product.columns; ++j) {
      const Number* column = b + j * product.b.column_step;
      // The constant step lets the compiler see contiguous rows.
      *result++ += product.a.column_step == 1
                       ? GetDotProduct(product.inner, row, 1, column)
                       : GetDotProduct(product.inner, row, product.a.column_step, column);
    }
  }
}

}  // namespace

MatrixLayout MakeMatrixLayout(std::int64_t stored_columns, bool is_transposed) {
  return is_transposed ? MatrixLayout{1, stored_columns} : MatrixLayout{stored_columns, 1};
}

template <typename Number>
void AddMatrixProduct(const MatrixProduct& product, const Number* a, const Number* b,
                      Number* result) {
  const bool has_contiguous_columns = product.b.row_step == 1;
  const bool has_contiguous_rows = product.b.column_step == 1 && product.columns > 1;
  if (has_contiguous_columns && !has_contiguous_rows) {
    AddByColumns(product, a, b, result);
  } else {
    AddByRows(product, a, b, result);
  }
}

template void AddMatrixProduct(const MatrixProduct&, const float*, const float*, float*);
template void AddMatrixProduct(const MatrixProduct&, const double*, const double*, double*);
template void AddMatrixProduct(const MatrixProduct&, const std::uint64_t*, const std::uint64_t*,
                               std::uint64_t*);

}  // namespace cpuref
}  // namespace backplane
