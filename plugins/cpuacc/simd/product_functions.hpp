#pragma once

/// Products of float32 with matrices in panels.

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

/// result = a * b, where b are bytes: (byte - zero point) * scale, of which each column has one for
/// each block of the inner axis. Panels lie as those of Product.
struct ByteWeights {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t block = 0;  // divides `inner`; even where bytes are halves
  const float* a = nullptr;
  std::int64_t a_row_step = 0;
  const std::uint8_t* b = nullptr;     // [panels, inner, kPanelColumns]
  bool are_halves = false;             // of 4 bits: an element in the lower half, the next above
  const float* scales = nullptr;       // [panels, blocks, kPanelColumns]
  const float* zero_points = nullptr;  // as scales
  std::int64_t zero_point_step = kPanelColumns;  // from one block to the next; 0: all have one
  const float* sums = nullptr;                   // [rows, blocks]: of a
  float* result = nullptr;
  std::int64_t result_row_step = 0;
};

constexpr std::int64_t kMostByteWeightRows = 6;

/// The form that `a` of ByteWeights gets: int8, with a scale for each block, by which its greatest
/// is 127. Panels of b lie in groups then: [panels, inner / 4, kPanelColumns, 4], and of halves
/// [panels, inner / 8, kPanelColumns, 4], the first group in the lower halves.
struct RoundedRows {
  std::int8_t* a = nullptr;  // [rows, inner]
  float* scales = nullptr;   // [rows, blocks]
  float* sums = nullptr;     // [rows, blocks]: of the integers
};

/// All rows times the panels from `begin` to `end`. Sums of a block are exact.
using MultiplyRounded = void (*)(const ByteWeights& product, const RoundedRows& rows,
                                 std::int64_t begin, std::int64_t end);

struct ProductFunctions {
  void (*multiply)(const Product& product) = nullptr;
  /// The panels from `begin` to `end`, of at most kMostByteWeightRows rows.
  void (*multiply_byte_weights)(const ByteWeights& product, std::int64_t begin,
                                std::int64_t end) = nullptr;
  /// Makes floats of one panel: [inner, kPanelColumns].
  void (*widen_byte_weights)(const ByteWeights& product, std::int64_t panel,
                             float* floats) = nullptr;
  /// The blocks from `begin` to `end`, counted row by row. The scale of a block with an infinity or
  /// NaN is NaN.
  void (*round_rows)(const ByteWeights& product, std::int64_t begin, std::int64_t end,
                     RoundedRows& rows) = nullptr;
  /// Null where the processor has nothing for it that is exact and fast.
  MultiplyRounded multiply_rounded_bytes = nullptr;
  MultiplyRounded multiply_rounded_halves = nullptr;
  /// Fills up the last panel with zeros.
  void (*pack)(const PanelSource& source, float* panels) = nullptr;
};

}  // namespace cpuacc
}  // namespace backplane
