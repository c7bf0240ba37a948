#include "moves/copy.hpp"

#include <cstring>

namespace backplane {
namespace cpuacc {
namespace {

class CopyKernel : public Kernel {
 public:
  explicit CopyKernel(std::uint64_t size_bytes) : size_bytes_(size_bytes) {}

  void Run(const KernelRun& run) const override {
    if (size_bytes_ > 0) std::memcpy(run.outputs[0], run.inputs[0], size_bytes_);
  }

 private:
  std::uint64_t size_bytes_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeCopy(std::uint64_t size_bytes) {
  return std::make_unique<CopyKernel>(size_bytes);
}

}  // namespace cpuacc
}  // namespace backplane
