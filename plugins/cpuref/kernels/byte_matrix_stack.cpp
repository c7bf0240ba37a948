#include "kernels/byte_matrix_stack.hpp"

namespace backplane {
namespace cpuref {
namespace {

ByteMatrix GetMatrix(const ByteMatrices& stack, std::int64_t index, std::int64_t elements) {
  ZeroPoints zero_points = stack.zero_points;
  zero_points.values += index * stack.zero_points_step;
  return {stack.bytes, index * elements, zero_points};
}

}  // namespace

ByteMatrixStack::ByteMatrixStack(const MatrixOperand& a, const MatrixOperand& b)
    : product_(MakeMatrixProduct(a, b)),
      batches_(MakeBroadcast(a.batch, b.batch, *BroadcastShapes(a.batch, b.batch))),
      matrix_elements_a_(a.GetMatrixElements()),
      matrix_elements_b_(b.GetMatrixElements()),
      result_elements_(a.GetRows() * b.GetColumns()) {}

void ByteMatrixStack::Run(const ByteMatrices& a, const ByteMatrices& b, unsigned char* scratch,
                          const SumSink& sink) const {
  std::int64_t output = 0;
  VisitLeadingAxes(batches_, batches_.rank, [&](std::int64_t batch_a, std::int64_t batch_b) {
    product_.Run(GetMatrix(a, batch_a, matrix_elements_a_),
                 GetMatrix(b, batch_b, matrix_elements_b_), scratch, output, sink);
    output += result_elements_;
  });
}

}  // namespace cpuref
}  // namespace backplane
