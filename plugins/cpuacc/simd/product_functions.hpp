#pragma once

/// Products of small matrices of float32, and of few rows.

#include <backplane/api/data_type.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// Columns are computed in panels of so many.
constexpr std::int64_t kPanelColumns = 16;

/// result = a * b + bias: [rows, inner] times [inner, columns]. Steps count elements. `b` may be
/// packed in 16 bits for each element, where these are as exact.
struct Product {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  const float* a = nullptr;
  std::int64_t a_row_step = 0;
  std::int64_t a_inner_step = 0;
  DataType b_type = DataType::kFloat32;  // or kFloat16 without infinities and NaN, or kBFloat16
  const void* b = nullptr;               // the columns of a panel lie one after the other
  std::int64_t b_inner_step = 0;         // within a panel
  std::int64_t b_panel_step = 0;
  const void* b_last = nullptr;  // [inner, kPanelColumns]: a last panel with fewer columns, packed
  const float* bias = nullptr;   // one for each column, or null
  float* result = nullptr;
  std::int64_t result_row_step = 0;
};

/// A matrix to lay out in panels: [columns / kPanelColumns, inner, kPanelColumns].
struct PanelSource {
  const float* b = nullptr;
  std::int64_t inner_step = 0;
  std::int64_t column_step = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
};

struct ProductFunctions {
  void (*multiply)(const Product& product) = nullptr;
  /// Fills up the last panel with zeros.
  void (*pack)(const PanelSource& source, float* panels) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
