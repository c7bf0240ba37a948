#pragma once

#include "cpu_layers/matrix_operands.hpp"
#include "kernels/byte_matrix_product.hpp"

namespace backplane {
namespace cpuref {

/// A stack of matrices of bytes, with the zero points of their rows or columns.
struct ByteMatrices {
  Bytes bytes;
  ZeroPoints zero_points;
  std::int64_t zero_points_step = 0;  // from one matrix to the next; 0: all have the same
};

/// Products of the matrices of two stacks whose leading axes broadcast.
class ByteMatrixStack {
 public:
  ByteMatrixStack(const MatrixOperand& a, const MatrixOperand& b);

  std::uint64_t GetScratchBytes() const { return product_.GetScratchBytes(); }
  void Run(const ByteMatrices& a, const ByteMatrices& b, unsigned char* scratch,
           const SumSink& sink) const;

 private:
  const ByteMatrixProduct product_;
  const Broadcast batches_;  // offsets count matrices
  const std::int64_t matrix_elements_a_;
  const std::int64_t matrix_elements_b_;
  const std::int64_t result_elements_;
};

}  // namespace cpuref
}  // namespace backplane
