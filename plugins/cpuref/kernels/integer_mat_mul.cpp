#include "cpu_layers/product_refusal.hpp"
#include "kernels/byte_matrix_stack.hpp"
#include "kernels/runtime_zero_points.hpp"

namespace backplane {
namespace cpuref {
namespace {

/// From the zero points of one matrix to those of the next.
std::int64_t GetStep(const TensorShape& zero_points, std::int64_t lines) {
  return zero_points.rank >= 2 ? lines : 0;
}

class IntegerMatMulKernel : public Kernel {
 public:
  explicit IntegerMatMulKernel(const Layer& layer)
      : IntegerMatMulKernel(layer, MakeFirstOperand(layer.Input(0).shape, {}),
                            MakeSecondOperand(layer.Input(1).shape, {})) {}

  std::uint64_t GetScratchBytes() const override {
    return zero_points_a_.GetScratchBytes() + zero_points_b_.GetScratchBytes() +
           product_.GetScratchBytes();
  }

  void Run(const RunTensors& tensors) const override {
    auto* scratch = tensors.GetScratch<unsigned char>();
    ByteMatrices a{{tensors.Input<void>(0), is_a_signed_}, {}, step_a_};
    a.zero_points = zero_points_a_.Read(tensors, scratch);
    scratch += zero_points_a_.GetScratchBytes();
    ByteMatrices b{{tensors.Input<void>(1), is_b_signed_}, {}, step_b_};
    b.zero_points = zero_points_b_.Read(tensors, scratch);
    scratch += zero_points_b_.GetScratchBytes();
    product_.Run(a, b, scratch, PlainSums(tensors.Output<std::int32_t>()));
  }

 private:
  IntegerMatMulKernel(const Layer& layer, const MatrixOperand& a, const MatrixOperand& b)
      : product_(a, b),
        zero_points_a_(layer, 2),
        zero_points_b_(layer, 3),
        step_a_(layer.num_inputs > 2 ? GetStep(layer.Input(2).shape, a.GetRows()) : 0),
        step_b_(layer.num_inputs > 3 ? GetStep(layer.Input(3).shape, b.GetColumns()) : 0),
        is_a_signed_(layer.Input(0).data_type == DataType::kInt8),
        is_b_signed_(layer.Input(1).data_type == DataType::kInt8) {}

  const ByteMatrixStack product_;
  const RuntimeZeroPoints zero_points_a_;
  const RuntimeZeroPoints zero_points_b_;
  const std::int64_t step_a_;
  const std::int64_t step_b_;
  const bool is_a_signed_;
  const bool is_b_signed_;
};

}  // namespace

std::string FindRefusalOfIntegerMatMul(const Layer& layer) {
  Refusal refusal;
  RequireByteProduct(layer, refusal);
  RequireIntegerMatMul(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeIntegerMatMul(const Layer& layer) {
  return std::make_unique<IntegerMatMulKernel>(layer);
}

}  // namespace cpuref
}  // namespace backplane
