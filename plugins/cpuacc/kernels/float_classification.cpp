#include "cpu_layers/float_classification.hpp"
#include "kernels/kernel_table.hpp"
#include "threads/parallel.hpp"

namespace backplane {
namespace cpuacc {
namespace {

class FloatClassificationKernel : public Kernel {
 public:
  FloatClassificationKernel(const FloatClassificationDescriptor& descriptor,
                            std::int64_t num_elements)
      : descriptor_(descriptor), num_elements_(num_elements) {}

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 32768;
    const auto* input = run.Input<float>(0);
    auto* output = run.Output<std::uint8_t>();
    ParallelFor(
        run.threads, num_elements_, kWorthAThread, [&](std::int64_t begin, std::int64_t end) {
          cpu_layers::ClassifyFloats(descriptor_, input + begin, end - begin, output + begin);
        });
  }

 private:
  const FloatClassificationDescriptor descriptor_;
  const std::int64_t num_elements_;
};

}  // namespace

std::string FindRefusalOfFloatClassification(const Layer& layer) {
  Refusal refusal;
  RequireFloat32(layer, refusal, {{}, {TensorRole::kBool}});
  RequireFloatClassification(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeFloatClassification(KernelMaker& maker) {
  maker.WantAllPlain();
  return std::make_unique<FloatClassificationKernel>(
      maker.GetNode().GetDescriptor<FloatClassificationDescriptor>(),
      maker.GetOutput().info.shape.GetNumElements());
}

}  // namespace cpuacc
}  // namespace backplane
