#pragma once

#include <cstdint>

namespace backplane {
namespace cpuref {

/// A matrix as it lies in memory: elements from one row, or column, to the next.
struct MatrixLayout {
  std::int64_t row_step = 0;
  std::int64_t column_step = 0;
};

/// The layout of a dense matrix that is stored with `columns` elements in a row, read as it is or
/// transposed.
MatrixLayout MakeMatrixLayout(std::int64_t stored_columns, bool is_transposed);

/// A product of matrices: [rows, inner] times [inner, columns].
struct MatrixProduct {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  MatrixLayout a;
  MatrixLayout b;
};

/// Adds a times b to `result`, which is dense and overlaps neither. For float, double and uint64_t.
template <typename Number>
void AddMatrixProduct(const MatrixProduct& product, const Number* a, const Number* b,
                      Number* result);

}  // namespace cpuref
}  // namespace backplane
