#pragma once

/// What a layer does on a device, complete but for where its tensors lie: pure data, made without a
/// device, carried out by workloads and by anybody who writes the same by hand.

#include "plan/shared_contents.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace backplane {
namespace opencl {

/// What kernels write of one index that lies outside of its axis: ints of the device.
struct OutsideIndex {
  std::int32_t place = 0;  // its number among the indices, from 1 on; 0: all lie inside
  std::int32_t low = 0;    // of the index, the lower half
  std::int32_t high = 0;
  std::int32_t extent = 0;
  std::int32_t command = 0;
};

/// A buffer that a kernel is given, as two arguments: `__global T*` and `int`, the element of it at
/// which the tensor begins.
struct BufferArgument {
  enum class Kind {
    kInput,     // a tensor that the layer reads; when it is constant, its content on the device
    kOutput,    // a tensor that the layer writes
    kConstant,  // of KernelPlan::constants
    kScratch,   // of KernelPlan::scratch_bytes
    kOutside,   // an OutsideIndex, which is all 0 before the first kernel; a third argument, `int`,
                // is the number for its command
  };
  Kind kind = Kind::kInput;
  std::uint32_t index = 0;
  std::uint32_t element_bytes = 4;  // in which the second argument counts
};

/// Memory of a work-group: `__local T*`.
struct LocalArgument {
  std::size_t size_bytes = 0;
};

using Argument = std::variant<BufferArgument, LocalArgument, std::int32_t, float>;

/// One enqueued kernel.
struct Launch {
  std::string source;   // OpenCL C; the same text with the same options is built once
  std::string options;  // of the compiler, for example "-DREAL=float -DWIDTH=4"
  std::string kernel;   // its name in the source
  std::vector<Argument> arguments;
  std::uint32_t num_dimensions = 1;
  std::array<std::size_t, 3> global_size = {1, 1, 1};
  std::array<std::size_t, 3> local_size = {0, 0, 0};  // zeros: the driver chooses
  double num_operations = 0;                          // multiplications and additions, for reports
};

struct KernelPlan {
  std::vector<Launch> launches;                         // one after the other
  std::vector<std::shared_ptr<const Bytes>> constants;  // made of constant inputs, for the device
  std::vector<std::uint64_t> scratch_bytes;             // shared by all layers of a run
};

/// What kernels must respect, asked from the device once.
struct DeviceLimits {
  std::size_t max_work_group_size = 256;
  std::array<std::size_t, 3> max_work_item_sizes = {256, 256, 64};
  std::uint64_t local_memory_bytes = 32 * 1024;
  std::uint64_t max_allocation_bytes = 0;
  std::uint32_t num_compute_units = 1;
  std::uint32_t float_vector_width = 1;  // as the device prefers it
  bool is_cpu = false;                   // local memory and images then cost, caches are large
};

}  // namespace opencl
}  // namespace backplane
