#pragma once

#include "cpu_layers/strided_copy.hpp"
#include "kernel.hpp"

namespace backplane {
namespace reference {

/// Makes input 0 the output by one copy.
class StridedCopyKernel : public Kernel {
 public:
  /// Prepared.
  explicit StridedCopyKernel(const StridedCopy& copy) : copy_(copy) {}

  void Run(const RunTensors& tensors) const override {
    copy_.Run(tensors.Input<void>(0), tensors.Output<void>());
  }

 private:
  const StridedCopy copy_;
};

}  // namespace reference
}  // namespace backplane
