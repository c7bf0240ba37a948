#include "quantised/integer_product.hpp"

#include "cpu_layers/matrix_operands.hpp"
#include "elements/chain_kernels.hpp"
#include "kernel_builders/primitive.hpp"
#include "layout/batch_offset.hpp"
#include "quantised/activation_product.hpp"
#include "quantised/exact_sums.hpp"
#include "quantised/quantised_product.hpp"
#include "quantised/quantised_types.hpp"
#include "quantised/zero_point_correction.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::MatrixOperand;

/// From one matrix to the next, along each axis in front of the matrices; 0 repeats.
using BatchSteps = std::array<std::int64_t, kMaxRank>;

/// Of a tensor with these axes in front, and so many bytes behind each of their places.
BatchSteps FindBatchSteps(const TensorShape& axes, const TensorShape& batch,
                          std::int64_t size_bytes) {
  BatchSteps steps = {};
  for (std::uint32_t i = 1; i <= axes.rank; ++i) {
    const std::int64_t extent = axes[axes.rank - i];
    if (extent != 1) steps[batch.rank - i] = size_bytes;
    size_bytes *= extent;
  }
  return steps;
}

/// The axes in front of the last two.
TensorShape GetAxesInFront(const TensorShape& shape) {
  TensorShape axes;
  for (std::uint32_t axis = 0; axis + 2 < shape.rank; ++axis) axes.Append(shape[axis]);
  return axes;
}

/// Runs the kernel of one matrix for each of them.
class EachMatrix : public Kernel {
 public:
  static constexpr std::size_t kMostInputs = 4;

  struct Steps {
    TensorShape batch;
    std::array<BatchSteps, kMostInputs> inputs = {};
    std::size_t num_inputs = 0;
    BatchSteps output = {};
  };

  EachMatrix(const Steps& steps, std::unique_ptr<const Kernel> kernel)
      : steps_(steps), kernel_(std::move(kernel)) {}

  std::uint64_t GetScratchBytes() const override { return kernel_->GetScratchBytes(); }
  std::unique_ptr<KernelState> MakeState() const override { return kernel_->MakeState(); }

  void Run(const KernelRun& run) const override {
    const std::int64_t count = steps_.batch.GetNumElements();
    for (std::int64_t matrix = 0; matrix < count; ++matrix) {
      std::array<void*, kMostInputs> inputs = {};
      for (std::size_t input = 0; input < steps_.num_inputs; ++input) {
        inputs[input] = Find(run.inputs[input], steps_.inputs[input], matrix);
      }
      void* outputs[] = {Find(run.outputs[0], steps_.output, matrix)};
      KernelRun of_matrix = run;
      of_matrix.inputs = inputs.data();
      of_matrix.outputs = outputs;
      kernel_->Run(of_matrix);
    }
  }

 private:
  void* Find(void* begin, const BatchSteps& steps, std::int64_t matrix) const {
    return static_cast<unsigned char*>(begin) +
           FindBatchOffset(steps_.batch.rank, steps_.batch, steps, matrix);
  }

  const Steps steps_;
  const std::unique_ptr<const Kernel> kernel_;
};

class IntegerProductMaker {
 public:
  explicit IntegerProductMaker(KernelMaker& maker)
      : maker_(maker),
        b_(cpu_layers::MakeSecondOperand(maker.GetInput(1).info.shape, {})),
        a_(cpu_layers::MergeRows(cpu_layers::MakeFirstOperand(maker.GetInput(0).info.shape, {}),
                                 b_)),
        batch_(*cpu_layers::BroadcastShapes(a_.batch, b_.batch)),
        matrices_{a_.GetRows(), a_.GetColumns(), b_.GetColumns(), false},
        result_type_(maker.GetOutput().info.data_type),
        zero_points_(maker) {}

  std::unique_ptr<const Kernel> Make() {
    if (batch_.GetNumElements() == 1) return Finish(MakeMatrix(zero_points_));
    if (result_type_ == DataType::kFloat32) {
      if (auto kernel = MakeBatchedByteProduct(maker_, zero_points_)) return kernel;
    }
    const ZeroPointInputs parts(zero_points_.elements.GetPart(CountOfMatrix(2, matrices_.rows)),
                                zero_points_.weights.GetPart(CountOfMatrix(3, matrices_.columns)));
    if (auto sums = MakeBatchedSums(maker_)) return Finish(Correct(std::move(sums), parts));
    return Finish(std::make_unique<EachMatrix>(FindSteps(), MakeMatrix(parts)));
  }

 private:
  bool HasZeroPoints(std::uint32_t input) const {
    return input < CountLayerInputs(maker_.GetNode());
  }
  const TensorShape& GetShape(std::uint32_t input) const {
    return maker_.GetInput(input).info.shape;
  }

  /// How many zero points one matrix has, of an operand that has so many lines.
  std::int64_t CountOfMatrix(std::uint32_t input, std::int64_t num_lines) const {
    if (!HasZeroPoints(input)) return 0;
    return GetShape(input).GetNumElements() == 1 ? 1 : num_lines;
  }

  EachMatrix::Steps FindSteps() const {
    EachMatrix::Steps steps;
    steps.batch = batch_;
    steps.num_inputs = CountLayerInputs(maker_.GetNode());
    steps.inputs[0] = FindBatchSteps(a_.batch, batch_, a_.GetMatrixElements());
    steps.inputs[1] = FindBatchSteps(b_.batch, batch_, b_.GetMatrixElements());
    for (std::uint32_t input = 2; input < steps.num_inputs; ++input) {
      const std::int64_t num_lines = input == 2 ? matrices_.rows : matrices_.columns;
      steps.inputs[input] =
          FindBatchSteps(GetAxesInFront(GetShape(input)), batch_, CountOfMatrix(input, num_lines));
    }
    constexpr auto kResultBytes = static_cast<std::int64_t>(sizeof(std::int32_t));
    steps.output =
        FindBatchSteps(batch_, batch_, matrices_.rows * matrices_.columns * kResultBytes);
    return steps;
  }

  /// What is fast adds up bytes as they are, and what takes one zero point for all only makes
  /// float32.
  bool IsCorrected(const ZeroPointInputs& zero_points) const {
    if (zero_points.elements.GetCount() > 1) return true;
    const bool are_taken = result_type_ == DataType::kFloat32 && zero_points.weights.AreOne() &&
                           AreZeroPointsExact(matrices_.inner);
    return HasFastByteProduct(maker_, matrices_) && !are_taken;
  }

  std::unique_ptr<const Kernel> MakeMatrix(const ZeroPointInputs& zero_points) {
    if (auto sums = MakeBytePanelProduct(maker_, matrices_, zero_points)) {
      leaves_integers_ = result_type_ == DataType::kFloat32;
      return sums;
    }
    if (!IsCorrected(zero_points)) {
      return MakeSumsOfByteProducts(maker_, matrices_, result_type_, zero_points);
    }
    leaves_integers_ = result_type_ == DataType::kFloat32;
    std::vector<std::unique_ptr<const Kernel>> kernels;
    kernels.push_back(MakeSumsOfByteProducts(maker_, matrices_, DataType::kInt32, {}));
    if (zero_points.elements.IsThere() || zero_points.weights.IsThere()) {
      kernels.push_back(MakeZeroPointCorrection(maker_, matrices_, zero_points));
    }
    return MakeSequence(std::move(kernels));
  }

  /// Of sums of all matrices.
  std::unique_ptr<const Kernel> Correct(std::unique_ptr<const Kernel> sums,
                                        const ZeroPointInputs& parts) {
    leaves_integers_ = result_type_ == DataType::kFloat32;
    const bool is_signed = maker_.GetInput(1).info.data_type == DataType::kInt8;
    std::vector<std::unique_ptr<const Kernel>> kernels;
    kernels.push_back(std::move(sums));
    kernels.push_back(std::make_unique<EachMatrix>(
        FindSteps(), MakeZeroPointCorrection(maker_, matrices_, parts, is_signed ? 0 : kSignBit)));
    return MakeSequence(std::move(kernels));
  }

  std::unique_ptr<const Kernel> Finish(std::unique_ptr<const Kernel> kernel) {
    if (!leaves_integers_) return kernel;
    std::vector<std::unique_ptr<const Kernel>> kernels;
    kernels.push_back(std::move(kernel));
    kernels.push_back(MakeChainOnIntegers(maker_));
    return MakeSequence(std::move(kernels));
  }

  KernelMaker& maker_;
  const MatrixOperand b_;
  const MatrixOperand a_;
  const TensorShape batch_;
  const ByteMatrices matrices_;
  const DataType result_type_;
  const ZeroPointInputs zero_points_;
  bool leaves_integers_ = false;
};

}  // namespace

std::unique_ptr<const Kernel> MakeIntegerProduct(KernelMaker& maker) {
  return IntegerProductMaker(maker).Make();
}

}  // namespace cpuacc
}  // namespace backplane
