#pragma once

/// What a workload checks before it reads and writes: that the tensors of the run are there.

#include <backplane/api/i_tensor_handle.hpp>
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

/// Whether there are as many handles as sizes, and each that has elements is dense in memory of the
/// CPU, large enough and aligned to its elements.
bool AreUsable(ITensorHandle* const* handles, std::uint32_t count,
               const std::vector<TensorSize>& sizes);

}  // namespace cpu_layers
}  // namespace backplane
