#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <cstring>

namespace backplane {
namespace reference {

/// Copies a tensor as bytes, whatever its data type.
class ByteCopyKernel : public Kernel {
 public:
  explicit ByteCopyKernel(const TensorInfo& info)
      : size_bytes_(static_cast<std::size_t>(info.GetSizeBytes())) {}

  /// The output may be the input itself.
  void Run(const RunTensors& tensors) const override {
    std::memmove(tensors.Output<void>(), tensors.Input<void>(0), size_bytes_);
  }

 private:
  const std::size_t size_bytes_;
};

}  // namespace reference
}  // namespace backplane
