#include "kernels/matrix_multiply.hpp"

#include "kernels/matrix_panel.hpp"

#include <algorithm>

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

/// Missing columns become 0.
template <typename Number>
void PackPanel(const Number* b, const MatrixLayout& layout, std::int64_t inner,
               std::int64_t columns, Number* panel) {
  constexpr std::int64_t kColumns = kPanelColumns<Number>;
  if (columns < kColumns) std::fill_n(panel, inner * kColumns, Number{});
  if (layout.column_step == 1 && columns == kColumns) {
    for (std::int64_t k = 0; k < inner; ++k) {
      for (std::int64_t j = 0; j < kColumns; ++j)
        panel[k * kColumns + j] = b[k * layout.row_step + j];
    }
    return;
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    const Number* column = b + j * layout.column_step;
    for (std::int64_t k = 0; k < inner; ++k) panel[k * kColumns + j] = column[k * layout.row_step];
  }
}

/// Columns of `b` are packed once for all rows of `a`.
template <typename Number>
void AddByPanels(const MatrixProduct& product, const Number* a, const Number* b, Number* result) {
  constexpr std::int64_t kColumns = kPanelColumns<Number>;
  Number panel[kPanelInner * kColumns];
  for (std::int64_t k = 0; k < product.inner; k += kPanelInner) {
    const std::int64_t inner = std::min(kPanelInner, product.inner - k);
    for (std::int64_t j = 0; j < product.columns; j += kColumns) {
      const std::int64_t columns = std::min(kColumns, product.columns - j);
      PackPanel(b + k * product.b.row_step + j * product.b.column_step, product.b, inner, columns,
                panel);
      AddPanelProduct<Number>({a + k * product.a.column_step, product.a, inner, panel, columns,
                               result + j, product.columns},
                              product.rows);
    }
  }
}

}  // namespace

template <typename Number>
void AddMatrixProduct(const MatrixProduct& product, const Number* a, const Number* b,
                      Number* result) {
  const bool has_contiguous_columns = product.b.row_step == 1;
  const bool has_contiguous_rows = product.b.column_step == 1;
  const bool has_neither = !has_contiguous_columns && !has_contiguous_rows;
  if (product.columns > 1 && (product.rows >= kPanelRows || has_neither)) {
    AddByPanels(product, a, b, result);
  } else if (has_contiguous_columns && (!has_contiguous_rows || product.columns == 1)) {
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
