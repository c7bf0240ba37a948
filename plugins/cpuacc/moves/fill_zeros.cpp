#include "moves/fill_zeros.hpp"

#include "cpu_layers/element_fill.hpp"

namespace backplane {
namespace cpuacc {
namespace {

class FillZerosKernel : public Kernel {
 public:
  explicit FillZerosKernel(const TensorInfo& output)
      : zeros_(output), num_elements_(output.shape.GetNumElements()) {}

  void Run(const KernelRun& run) const override { zeros_.Fill(run.outputs[0], 0, num_elements_); }

 private:
  cpu_layers::ZeroElements zeros_;
  std::int64_t num_elements_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeFillZeros(const TensorInfo& output) {
  return std::make_unique<FillZerosKernel>(output);
}

}  // namespace cpuacc
}  // namespace backplane
