#pragma once

/// The innermost part of products of matrices: a few columns of the right operand, packed one row
/// behind the other, so that a block of the result stays in registers while it is summed up.

#include "kernels/matrix_multiply.hpp"

#include <cstdint>

namespace backplane {
namespace cpuref {

/// What one operation takes. Compilers do not find vectors over an array of sums by themselves.
template <typename Number>
struct Lanes {
  using Type = Number;
};
template <>
struct Lanes<float> {
  using Type = float __attribute__((vector_size(16), aligned(alignof(float)), may_alias));
};
template <>
struct Lanes<double> {
  using Type = double __attribute__((vector_size(16), aligned(alignof(double)), may_alias));
};

/// The columns of a panel: as many as with kPanelRows rows of sums fit the registers.
template <typename Number>
constexpr std::int64_t kPanelColumns = 32 / static_cast<std::int64_t>(sizeof(Number));
constexpr std::int64_t kPanelRows = 4;
/// The rows of a panel, at most: so many stay in the nearest cache.
constexpr std::int64_t kPanelInner = 256;

/// Rows of the left operand, and where the product is added.
template <typename Number>
struct PanelTask {
  const Number* a = nullptr;
  MatrixLayout layout;
  std::int64_t inner = 0;
  const Number* panel = nullptr;  // [inner, kPanelColumns]
  std::int64_t columns = 0;       // of the panel that count
  Number* result = nullptr;
  std::int64_t result_step = 0;  // from one row of the result to the next
};

template <typename Number, std::int64_t kRows>
void AddPanelRows(const PanelTask<Number>& task) {
  using Vector = typename Lanes<Number>::Type;
  constexpr std::int64_t kLanes = sizeof(Vector) / sizeof(Number);
  constexpr std::int64_t kVectors = kPanelColumns<Number> / kLanes;
  Vector sums[kRows][kVectors] = {};
  const auto* panel = reinterpret_cast<const Vector*>(task.panel);
  const Number* column = task.a;
  for (std::int64_t k = 0; k < task.inner; ++k) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      const Number factor = column[i * task.layout.row_step];
      for (std::int64_t v = 0; v < kVectors; ++v) sums[i][v] += factor * panel[v];
    }
    panel += kVectors;
    column += task.layout.column_step;
  }
  for (std::int64_t i = 0; i < kRows; ++i) {
    const auto* row = reinterpret_cast<const Number*>(sums[i]);
    Number* result = task.result + i * task.result_step;
    for (std::int64_t j = 0; j < task.columns; ++j) result[j] += row[j];
  }
}

/// Adds the product of `rows` rows and the panel to the result.
template <typename Number>
void AddPanelProduct(PanelTask<Number> task, std::int64_t rows) {
  for (; rows >= kPanelRows; rows -= kPanelRows) {
    AddPanelRows<Number, kPanelRows>(task);
    task.a += kPanelRows * task.layout.row_step;
    task.result += kPanelRows * task.result_step;
  }
  if (rows == 3) AddPanelRows<Number, 3>(task);
  if (rows == 2) AddPanelRows<Number, 2>(task);
  if (rows == 1) AddPanelRows<Number, 1>(task);
}

}  // namespace cpuref
}  // namespace backplane
