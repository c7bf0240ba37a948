#include "kernels/matrix_multiply.hpp"

#include <algorithm>

namespace backplane {
namespace reference {
namespace {

/// Rows of the right operand that stay in the cache.
constexpr std::int64_t kInnerAtOnce = 64;

/// Adds to a row of the result the rows of `b`, each times its element of a row of `a`. Four at
/// once: the sums are read and written less often.
template <typename Number>
void AddScaledRows(const MatrixProduct& product, const Number* a, const Number* b,
                   Number* __restrict result) {
  const std::int64_t step = product.b.row_step;
  const std::int64_t next = product.a.column_step;
  std::int64_t k = 0;
  for (; k + 4 <= product.inner; k += 4, a += 4 * next, b += 4 * step) {
    const Number factors[] = {a[0], a[next], a[2 * next], a[3 * next]};
    for (std::int64_t j = 0; j < product.columns; ++j) {
      result[j] += factors[0] * b[j] + factors[1] * b[j + step] + factors[2] * b[j + 2 * step] +
                   factors[3] * b[j + 3 * step];
    }
  }
  for (; k < product.inner; ++k, a += next, b += step) {
    for (std::int64_t j = 0; j < product.columns; ++j) result[j] += *a * b[j];
  }
}

/// For a `b` whose rows are contiguous: the innermost loop runs along them.
template <typename Number>
void AddByRows(const MatrixProduct& product, const Number* a, const Number* b, Number* result) {
  MatrixProduct part = product;
  for (std::int64_t j = 0; j < product.columns; j += kColumnsAtOnce) {
    part.columns = std::min(kColumnsAtOnce, product.columns - j);
    for (std::int64_t k = 0; k < product.inner; k += kInnerAtOnce) {
      part.inner = std::min(kInnerAtOnce, product.inner - k);
      for (std::int64_t i = 0; i < product.rows; ++i) {
        AddScaledRows(part, a + i * product.a.row_step + k * product.a.column_step,
                      b + k * product.b.row_step + j, result + i * product.columns + j);
      }
    }
  }
}

/// Several partial sums: one alone could not be vectorised without changing the order of additions.
template <typename Number>
Number GetDotProduct(std::int64_t length, const Number* a, const Number* b) {
  constexpr std::int64_t kLanes = 16;
  Number sums[kLanes] = {};
  std::int64_t k = 0;
  for (; k + kLanes <= length; k += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  }
  Number total = 0;
  for (; k < length; ++k) total += a[k] * b[k];
  for (const Number sum : sums) total += sum;
  return total;
}

/// For rows of `a` and columns of `b` that are contiguous: the innermost loop runs along both.
template <typename Number>
void AddByColumns(const MatrixProduct& product, const Number* a, const Number* b, Number* result) {
  constexpr std::int64_t kAtOnce = 16;
  for (std::int64_t begin = 0; begin < product.columns; begin += kAtOnce) {
    const std::int64_t end = std::min(begin + kAtOnce, product.columns);
    for (std::int64_t i = 0; i < product.rows; ++i) {
      for (std::int64_t j = begin; j < end; ++j) {
        result[i * product.columns + j] +=
            GetDotProduct(product.inner, a + i * product.a.row_step, b + j * product.b.column_step);
      }
    }
  }
}

/// However they lie.
template <typename Number>
void AddByElements(const MatrixProduct& product, const Number* a, const Number* b, Number* result) {
  for (std::int64_t i = 0; i < product.rows; ++i) {
    for (std::int64_t j = 0; j < product.columns; ++j, ++result) {
      for (std::int64_t k = 0; k < product.inner; ++k) {
        *result += a[i * product.a.row_step + k * product.a.column_step] *
                   b[k * product.b.row_step + j * product.b.column_step];
      }
    }
  }
}

}  // namespace

template <typename Number>
void AddMatrixProduct(const MatrixProduct& product, const Number* a, const Number* b,
                      Number* result) {
  if (product.b.row_step == 1 && product.a.column_step == 1) {
    AddByColumns(product, a, b, result);
  } else if (product.b.column_step == 1) {
    AddByRows(product, a, b, result);
  } else {
    AddByElements(product, a, b, result);
  }
}

template void AddMatrixProduct(const MatrixProduct&, const float*, const float*, float*);
template void AddMatrixProduct(const MatrixProduct&, const double*, const double*, double*);
template void AddMatrixProduct(const MatrixProduct&, const std::uint64_t*, const std::uint64_t*,
                               std::uint64_t*);

}  // namespace reference
}  // namespace backplane
