#include "quantised/activation_product.hpp"

#include "cpu_layers/scales.hpp"
#include "layout/layout.hpp"
#include "library/engine.hpp"
#include "making/post_ops.hpp"
#include "making/primitive.hpp"
#include "memory/aligned_memory.hpp"
#include "quantised/quantised_types.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/batch_mat_mul.hpp>

#include <dnnl.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using dnnl::memory;

/// Runs a kernel on uint8 for whose input 1 int8 is wanted: elements less 128.
class SignSecondInput : public Kernel {
 public:
  SignSecondInput(const KernelMaker& maker, std::unique_ptr<const Kernel> kernel)
      : num_inputs_(maker.GetNumInputs()),
        num_elements_(maker.GetInput(1).info.shape.GetNumElements()),
        kernel_(std::move(kernel)) {}

  std::uint64_t GetScratchBytes() const override {
    return GetInputsBytes() + GetElementsBytes() + kernel_->GetScratchBytes();
  }

  std::unique_ptr<KernelState> MakeState() const override { return kernel_->MakeState(); }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 1 << 17;
    auto* scratch = run.GetScratch<unsigned char>();
    auto** inputs = reinterpret_cast<void**>(scratch);
    auto* elements = scratch + GetInputsBytes();
    const auto* from = run.Input<std::uint8_t>(1);
    ParallelFor(run.threads, num_elements_, kWorthAThread,
                [&](std::int64_t begin, std::int64_t end) {
                  std::transform(from + begin, from + end, elements + begin, [](std::uint8_t byte) {
                    return static_cast<std::uint8_t>(byte ^ kSignBit);
                  });
                });
    std::copy_n(run.inputs, num_inputs_, inputs);
    inputs[1] = elements;
    KernelRun inner = run;
    inner.inputs = inputs;
    inner.scratch = elements + GetElementsBytes();
    kernel_->Run(inner);
  }

 private:
  std::uint64_t GetInputsBytes() const { return RoundUp(num_inputs_ * sizeof(void*)); }
  std::uint64_t GetElementsBytes() const {
    return RoundUp(static_cast<std::uint64_t>(num_elements_));
  }

  const std::uint32_t num_inputs_;
  const std::int64_t num_elements_;
  const std::unique_ptr<const Kernel> kernel_;
};

/// All matrices of a tensor one after the other.
memory::desc DescribeMatrices(const TensorShape& shape, DataType type, bool is_transposed) {
  const std::int64_t rows = shape[shape.rank - 2];
  const std::int64_t columns = shape[shape.rank - 1];
  const std::int64_t count = shape.GetNumElements() / (rows * columns);
  if (!is_transposed) return DescribePlain({count, rows, columns}, type);
  return memory::desc({count, columns, rows}, ToDnnlType(type),
                      memory::dims{rows * columns, 1, columns});
}

dnnl::primitive_attr MakeScalingAttributes(const TensorInfo& a, const TensorInfo& b) {
  dnnl::primitive_attr attributes = MakeAttributes();
  attributes.set_output_scales(0, {cpu_layers::GetScale(a) * cpu_layers::GetScale(b)});
  const std::int32_t zero_point_b =
      cpu_layers::GetZeroPoint(b) - (b.data_type == DataType::kUInt8 ? kSignBit : 0);
  if (cpu_layers::GetZeroPoint(a) != 0) {
    attributes.set_zero_points(DNNL_ARG_SRC, 0, {cpu_layers::GetZeroPoint(a)});
  }
  if (zero_point_b != 0) attributes.set_zero_points(DNNL_ARG_WEIGHTS, 0, {zero_point_b});
  return attributes;
}

}  // namespace

std::unique_ptr<const Kernel> MakeActivationProduct(KernelMaker& maker) {
  const TensorInfo& a = maker.GetInput(0).info;
  const TensorInfo& b = maker.GetInput(1).info;
  const auto descriptor = maker.GetNode().GetDescriptor<BatchMatMulDescriptor>();
  maker.WantPlain(0);
  maker.WantPlain(1);
  const memory::desc rows = DescribeMatrices(a.shape, a.data_type, false);
  const memory::desc columns =
      DescribeMatrices(b.shape, DataType::kInt8, descriptor.transpose_b == 1);
  const memory::desc result =
      DescribeMatrices(maker.GetOutput().info.shape, DataType::kFloat32, false);
  FusedOps fused;
  std::size_t count = 0;
  const auto desc = MakeWithFusedOps(maker, result.dims(), 2, MakeScalingAttributes(a, b), fused,
                                     count, [&](const dnnl::primitive_attr& attributes) {
                                       return dnnl::matmul::primitive_desc(
                                           dnnl::matmul::desc(rows, columns, result), attributes,
                                           GetEngine(), true);
                                     });
  std::vector<PrimitiveArgument> arguments = {FromInput(DNNL_ARG_SRC, rows, 0),
                                              FromInput(DNNL_ARG_WEIGHTS, columns, 1),
                                              FromOutput(DNNL_ARG_DST, result)};
  TakeFusedOps(maker, fused, count, result, arguments);
  auto kernel =
      MakePrimitiveKernel(dnnl::matmul(desc), std::move(arguments), desc.scratchpad_desc());
  if (b.data_type == DataType::kInt8) return kernel;
  return std::make_unique<SignSecondInput>(maker, std::move(kernel));
}

}  // namespace cpuacc
}  // namespace backplane
