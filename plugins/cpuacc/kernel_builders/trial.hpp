#pragma once

/// Ways to compute a convolution, tried out on noise.

#include "kernel_builders/kernel_maker.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace backplane {
namespace cpuacc {

/// A kernel for a node without its chain, and the layouts that it reads and writes.
struct Way {
  std::string name;
  std::function<std::unique_ptr<const Kernel>()> make;
  Layout input;
  Layout output;
};

/// A way with memory to run it. The weights, input 1, are the kernel's own; the bias, input 2, is
/// zero where there is one.
class Trial {
 public:
  Trial(const KernelMaker& maker, const Way& way);

  /// Errors: Threads::RequireTime.
  double MeasureSeconds();

 private:
  void FillInput(const TensorInfo& info, const Layout& layout);

  const std::unique_ptr<const Kernel> kernel_;
  const std::shared_ptr<void> input_;
  const std::shared_ptr<void> output_;
  const std::shared_ptr<void> bias_;
  const std::shared_ptr<void> scratch_;
  const std::unique_ptr<KernelState> state_;
  void* inputs_[3] = {};
  void* outputs_[1] = {};
  KernelRun run_;
};

}  // namespace cpuacc
}  // namespace backplane
