#pragma once

/// What a workload checks before it reads and writes: that the tensors of the run are there.

#include <backplane/api/run_args.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

struct TensorSize {
  std::uint64_t size_bytes;
  std::uint64_t element_size_bytes;
};

std::vector<TensorSize> GetSizes(const TensorInfo* const* infos, std::uint32_t count);

/// Whether a tensor that has elements is dense in memory of the CPU, large enough and aligned to
/// its elements.
bool IsUsable(RunTensor tensor, const TensorSize& size);

/// Whether there are as many tensors as sizes, and each is usable.
bool AreUsable(RunTensorList tensors, const std::vector<TensorSize>& sizes);

}  // namespace cpu_layers
}  // namespace backplane
