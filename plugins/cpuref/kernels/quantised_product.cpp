#include "kernels/quantised_product.hpp"

#include "kernels/byte_matrix_stack.hpp"
#include "kernels/requantisation.hpp"

namespace backplane {
namespace cpuref {
namespace {

template <typename Stored>
class QuantisedProductKernel : public Kernel {
 public:
  QuantisedProductKernel(const Layer& layer, const MatrixOperand& a, const MatrixOperand& b)
      : product_(a, b),
        requantisation_(MakeRequantisation(layer, b.GetColumns())),
        is_first_signed_(layer.Input(0).data_type == DataType::kInt8),
        is_second_signed_(layer.Input(1).data_type == DataType::kInt8),
        has_bias_(layer.num_inputs == 3) {}

  std::uint64_t GetScratchBytes() const override { return product_.GetScratchBytes(); }

  void Run(const RunTensors& tensors) const override {
    const RequantisedSums<Stored> sink(requantisation_,
                                       has_bias_ ? tensors.Input<std::int32_t>(2) : nullptr,
                                       tensors.Output<Stored>());
    product_.Run({GetBytes(tensors, 0, is_first_signed_), OfFirst(requantisation_)},
                 {GetBytes(tensors, 1, is_second_signed_), OfSecond(requantisation_)},
                 tensors.GetScratch<unsigned char>(), sink);
  }

 private:
  const ByteMatrixStack product_;
  const Requantisation requantisation_;
  const bool is_first_signed_;
  const bool is_second_signed_;
  const bool has_bias_;
};

/// The axis of the second operand along which the columns lie; of rank 1 it has one column and no
/// such axis.
std::uint32_t GetColumnAxis(const TensorShape& shape, const BatchMatMulDescriptor& descriptor) {
  if (shape.rank < 2) return kMaxRank;
  return shape.rank - (descriptor.transpose_b == 1 ? 2 : 1);
}

}  // namespace

std::unique_ptr<Kernel> MakeQuantisedProduct(const Layer& layer,
                                             const BatchMatMulDescriptor& descriptor) {
  const TensorShape& second = layer.Input(1).shape;
  if (!HasIntegerForm(layer, GetColumnAxis(second, descriptor))) return nullptr;
  const MatrixOperand a = MakeFirstOperand(layer.Input(0).shape, descriptor);
  const MatrixOperand b = MakeSecondOperand(second, descriptor);
  if (layer.Output().data_type == DataType::kInt8) {
    return std::make_unique<QuantisedProductKernel<std::int8_t>>(layer, a, b);
  }
  return std::make_unique<QuantisedProductKernel<std::uint8_t>>(layer, a, b);
}

}  // namespace cpuref
}  // namespace backplane
