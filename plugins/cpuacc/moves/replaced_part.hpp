#pragma once

/// A tensor of which one part is replaced, such as a cache with new rows.

#include "kernel_builders/kernel_maker.hpp"
#include "moves/part_copy.hpp"

#include <backplane/api/descriptor.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// A node of NodeKind::kReplacedPart computes this: input 0, in which input 1 replaces the elements
/// from `begin` on along an axis. All are plain.
struct ReplacedPartDescriptor : Descriptor<ReplacedPartDescriptor> {
  std::uint32_t axis = 0;
  std::int64_t begin = 0;
};
BACKPLANE_CHECK_DESCRIPTOR(ReplacedPartDescriptor, begin);

/// The kernel of such a node. Where the output lies in the memory of input 0, it writes the part
/// alone.
std::unique_ptr<const Kernel> MakeReplacedPart(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
