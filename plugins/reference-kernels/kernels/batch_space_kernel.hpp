#pragma once

#include "cpu_layers/batch_space.hpp"
#include "kernel.hpp"

namespace backplane {
namespace reference {

/// Runs the copies of all places.
class BatchSpaceKernel : public Kernel {
 public:
  BatchSpaceKernel(const BatchSpace& sides, BatchSpace::Direction direction,
                   std::size_t element_bytes)
      : sides_(sides), direction_(direction), element_bytes_(element_bytes) {}

  void Run(const RunTensors& tensors) const override {
    for (std::int64_t place = 0; place < sides_.CountPlaces(); ++place) {
      const StridedCopy copy = sides_.MakeCopy(place, direction_, element_bytes_);
      copy.Run(tensors.Input<void>(0), tensors.Output<void>());
    }
  }

 private:
  const BatchSpace sides_;
  const BatchSpace::Direction direction_;
  const std::size_t element_bytes_;
};

}  // namespace reference
}  // namespace backplane
