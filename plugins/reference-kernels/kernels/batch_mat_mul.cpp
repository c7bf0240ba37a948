#include "cpu_layers/matrix_operands.hpp"
#include "cpu_layers/product_refusal.hpp"
#include "cpu_layers/requantisation.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/integer_product.hpp"
#include "kernels/matrix_multiply.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <algorithm>
#include <optional>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class BatchMatMulKernel : public Kernel {
 public:
  explicit BatchMatMulKernel(const Layer& layer)
      : BatchMatMulKernel(layer, layer.GetDescriptor<BatchMatMulDescriptor>()) {}
  BatchMatMulKernel(const Layer& layer, const BatchMatMulDescriptor& descriptor)
      : BatchMatMulKernel(MergeRows(MakeFirstOperand(layer.Input(0).shape, descriptor),
                                    MakeSecondOperand(layer.Input(1).shape, descriptor)),
                          MakeSecondOperand(layer.Input(1).shape, descriptor)) {}

  void Run(const RunTensors& tensors) const override {
    const Number* a = tensors.Input<Number>(0);
    const Number* b = tensors.Input<Number>(1);
    Number* result = tensors.Output<Number>();
    const std::int64_t result_elements = product_.rows * product_.columns;
    VisitLeadingAxes(batches_, batches_.rank, [&](std::int64_t batch_a, std::int64_t batch_b) {
      std::fill_n(result, result_elements, Number{});
      AddMatrixProduct(product_, a + batch_a * matrix_elements_a_, b + batch_b * matrix_elements_b_,
                       result);
      result += result_elements;
    });
  }

 private:
  BatchMatMulKernel(const MatrixOperand& a, const MatrixOperand& b)
      : product_(MakeMatrixProduct(a, b)),
        batches_(MakeBroadcast(a.batch, b.batch, *BroadcastShapes(a.batch, b.batch))),
        matrix_elements_a_(a.GetMatrixElements()),
        matrix_elements_b_(b.GetMatrixElements()) {}

  const MatrixProduct product_;
  const Broadcast batches_;  // offsets count matrices
  const std::int64_t matrix_elements_a_;
  const std::int64_t matrix_elements_b_;
};

/// The axis of the second operand along which the columns lie; of rank 1 it has one column and no
/// such axis.
std::uint32_t GetColumnAxis(const TensorShape& shape, const BatchMatMulDescriptor& descriptor) {
  if (shape.rank < 2) return kMaxRank;
  return shape.rank - (descriptor.transpose_b == 1 ? 2 : 1);
}

}  // namespace

std::string FindRefusalOfBatchMatMul(const Layer& layer) {
  Refusal refusal;
  RequireNumbers(layer, refusal);
  RequireBatchMatMul(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeMatMulOfDoubles(const Layer& layer,
                                            const BatchMatMulDescriptor& descriptor) {
  return std::make_unique<BatchMatMulKernel<double>>(layer, descriptor);
}

std::unique_ptr<Kernel> MakeBatchMatMul(const Layer& layer) {
  const auto descriptor = layer.GetDescriptor<BatchMatMulDescriptor>();
  const TensorShape& second = layer.Input(1).shape;
  const std::uint32_t axis = GetColumnAxis(second, descriptor);
  if (HasIntegerForm(layer, axis)) {
    const std::int64_t columns = MakeSecondOperand(second, descriptor).GetColumns();
    const AxisSpan channels = {
        layer.Output().shape.GetNumElements() / std::max<std::int64_t>(columns, 1), columns, 1};
    return MakeQuantisedProduct(layer, axis, channels, MakeMatMulOfDoubles(layer, descriptor));
  }
  return MakeRingKernel<BatchMatMulKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
