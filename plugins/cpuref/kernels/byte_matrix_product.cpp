#include "kernels/byte_matrix_product.hpp"

#include <algorithm>

namespace backplane {
namespace cpuref {
namespace {

/// What the rows of one panel may take.
constexpr std::int64_t kPanelBytes = 1 << 20;

std::int64_t CountPanelRows(std::int64_t rows, const LineLayout& layout) {
  const std::int64_t line_bytes = layout.stride * static_cast<std::int64_t>(sizeof(std::int16_t));
  const std::int64_t most = std::max(kPanelBytes / line_bytes, kBlockLines);
  return std::min(rows, most / kBlockLines * kBlockLines);
}

LineSource MakeSource(const ByteMatrix& matrix, std::int64_t line_step, std::int64_t element_step) {
  return {matrix.bytes, matrix.begin, line_step, element_step, matrix.zero_points};
}

}  // namespace

ByteMatrixProduct::ByteMatrixProduct(const MatrixProduct& product)
    : product_(product),
      layout_(product.inner),
      panel_rows_(CountPanelRows(product.rows, layout_)) {}

std::uint64_t ByteMatrixProduct::GetScratchBytes() const {
  const std::int64_t line_elements = (panel_rows_ + kTileLines) * layout_.stride;
  return static_cast<std::uint64_t>(line_elements) * sizeof(std::int16_t) +
         static_cast<std::uint64_t>(kBlockLines * kTileLines) * sizeof(std::int32_t);
}

void ByteMatrixProduct::Run(const ByteMatrix& a, const ByteMatrix& b, unsigned char* scratch,
                            std::int64_t output, const SumSink& sink) const {
  const LineSource rows = MakeSource(a, product_.a.row_step, product_.a.column_step);
  const LineSource columns = MakeSource(b, product_.b.column_step, product_.b.row_step);
  Scratch lines{};
  lines.sums = reinterpret_cast<std::int32_t*>(scratch);
  lines.columns = reinterpret_cast<std::int16_t*>(lines.sums + kBlockLines * kTileLines);
  lines.rows = lines.columns + kTileLines * layout_.stride;
  Part part;
  for (; part.first_row < product_.rows; part.first_row += panel_rows_) {
    part.num_rows = std::min(panel_rows_, product_.rows - part.first_row);
    PackLines(rows, layout_, part.first_row, part.num_rows, lines.rows);
    for (part.first_column = 0; part.first_column < product_.columns;
         part.first_column += kTileLines) {
      part.num_columns = std::min(kTileLines, product_.columns - part.first_column);
      PackLines(columns, layout_, part.first_column, part.num_columns, lines.columns);
      MultiplyPart(part, lines, output, sink);
    }
  }
}

void ByteMatrixProduct::MultiplyPart(const Part& part, const Scratch& scratch, std::int64_t output,
                                     const SumSink& sink) const {
  for (std::int64_t block = 0; block < part.num_rows; block += kBlockLines) {
    const std::int64_t block_rows = std::min(kBlockLines, part.num_rows - block);
    MultiplyLines(layout_, scratch.rows + block * layout_.stride, block_rows, scratch.columns,
                  part.num_columns, scratch.sums);
    for (std::int64_t i = 0; i < block_rows; ++i) {
      SumRow row;
      row.sums = scratch.sums + i * kTileLines;
      row.count = part.num_columns;
      row.output = output + (part.first_row + block + i) * product_.columns + part.first_column;
      row.channel = part.first_column;
      row.channel_step = 1;
      sink.Take(row);
    }
  }
}

}  // namespace cpuref
}  // namespace backplane
