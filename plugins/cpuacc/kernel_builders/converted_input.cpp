#include "kernel_builders/converted_input.hpp"

#include "memory/aligned_memory.hpp"
#include "threads/parallel.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

class ConvertedInput : public Kernel {
 public:
  ConvertedInput(std::uint32_t num_inputs, const InputConversion& conversion,
                 std::unique_ptr<const Kernel> kernel)
      : num_inputs_(num_inputs), conversion_(conversion), kernel_(std::move(kernel)) {}

  std::uint64_t GetScratchBytes() const override {
    return GetInputsBytes() + GetConvertedBytes() + kernel_->GetScratchBytes();
  }

  std::unique_ptr<KernelState> MakeState() const override { return kernel_->MakeState(); }

  void Run(const KernelRun& run) const override {
    constexpr std::int64_t kWorthAThread = 1 << 16;
    auto* scratch = run.GetScratch<unsigned char>();
    auto** inputs = reinterpret_cast<void**>(scratch);
    auto* converted = scratch + GetInputsBytes();
    const void* from = run.inputs[conversion_.input];
    ParallelFor(run.threads, conversion_.num_elements, kWorthAThread,
                [&](std::int64_t begin, std::int64_t end) {
                  conversion_.convert(from, converted, begin, end);
                });
    std::copy_n(run.inputs, num_inputs_, inputs);
    inputs[conversion_.input] = converted;
    KernelRun inner = run;
    inner.inputs = inputs;
    inner.scratch = converted + GetConvertedBytes();
    kernel_->Run(inner);
  }

 private:
  std::uint64_t GetInputsBytes() const { return RoundUp(num_inputs_ * sizeof(void*)); }
  std::uint64_t GetConvertedBytes() const {
    return RoundUp(static_cast<std::uint64_t>(conversion_.num_elements) *
                   conversion_.element_bytes);
  }

  const std::uint32_t num_inputs_;
  const InputConversion conversion_;
  const std::unique_ptr<const Kernel> kernel_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeWithConvertedInput(const KernelMaker& maker,
                                                     const InputConversion& conversion,
                                                     std::unique_ptr<const Kernel> kernel) {
  return std::make_unique<ConvertedInput>(maker.GetNumInputs(), conversion, std::move(kernel));
}

}  // namespace cpuacc
}  // namespace backplane
