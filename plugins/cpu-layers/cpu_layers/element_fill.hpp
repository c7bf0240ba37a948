#pragma once

/// Tensors filled with one value.

#include "cpu_layers/refusal.hpp"

#include <backplane/api/tensor_info.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane {
namespace cpu_layers {

/// Writes an element of 1, 2, 4 or 8 bytes `count` times.
void FillElements(void* to, std::int64_t count, const void* element, std::size_t element_bytes);

/// What a tensor has where it is 0: the zero point of the element, when it is quantised.
///
/// Threads: any.
class ZeroElements {
 public:
  explicit ZeroElements(const TensorInfo& info);

  /// Makes elements of the dense tensor 0, counted in its order.
  void Fill(void* tensor, std::int64_t first, std::int64_t count) const;

 private:
  std::size_t element_bytes_;
  std::int64_t run_elements_;  // that have one zero
  std::vector<std::uint64_t> zeros_;
};

/// Refuses zero points that do not fit the tensor, which then has no zeros.
void RequireZeros(const TensorInfo& info, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
