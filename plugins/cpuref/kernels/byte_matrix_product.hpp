#pragma once

#include "kernels/byte_lines.hpp"
#include "kernels/matrix_multiply.hpp"

namespace backplane {
namespace cpuref {

/// A matrix of bytes less the zero points of its rows, for a first operand, or columns.
struct ByteMatrix {
  Bytes bytes;
  std::int64_t begin = 0;
  ZeroPoints zero_points;
};

/// A product of matrices of bytes. Part by part: as many rows of the first and columns of the
/// second as stay in the cache are laid out as lines.
class ByteMatrixProduct {
 public:
  explicit ByteMatrixProduct(const MatrixProduct& product);

  std::uint64_t GetScratchBytes() const;

  /// The sums go to the elements of the output from `output` on; channels are columns.
  void Run(const ByteMatrix& a, const ByteMatrix& b, unsigned char* scratch, std::int64_t output,
           const SumSink& sink) const;

 private:
  struct Scratch {
    std::int16_t* rows;
    std::int16_t* columns;
    std::int32_t* sums;
  };
  struct Part {
    std::int64_t first_row = 0;
    std::int64_t num_rows = 0;
    std::int64_t first_column = 0;
    std::int64_t num_columns = 0;
  };

  void MultiplyPart(const Part& part, const Scratch& scratch, std::int64_t output,
                    const SumSink& sink) const;

  const MatrixProduct product_;
  const LineLayout layout_;
  const std::int64_t panel_rows_;
};

}  // namespace cpuref
}  // namespace backplane
