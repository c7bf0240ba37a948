#pragma once

/// Chains of element operations as post-operations of oneDNN's primitives, which apply them while
/// the results are in registers.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/primitive.hpp"

#include <dnnl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc {

/// An operand of an operation that a primitive does.
struct FusedOperand {
  std::uint32_t input;      // of the node
  int position;             // among the post-operations
  dnnl::memory::desc desc;  // of a whole operand: any
  bool is_whole;            // has an element for each of the output
};

struct FusedOps {
  dnnl::post_ops ops;
  std::vector<FusedOperand> operands;
};

/// How many operations of the node's chain, from its beginning, can be post-operations: those that
/// oneDNN computes as CpuAcc defines them. `channel_axis` counts in `dims`, the output as the
/// primitive sees it.
std::size_t CountFusableOps(const KernelMaker& maker, const dnnl::memory::dims& dims,
                            std::size_t channel_axis);

/// The first `count` of these.
FusedOps FuseOps(const KernelMaker& maker, const dnnl::memory::dims& dims, std::size_t channel_axis,
                 std::size_t count);

/// Takes them in the maker's name and adds their operands to the arguments of the primitive.
/// `output` describes the output as the primitive sees it; whole operands are wanted in the layout
/// that is set for it.
void TakeFusedOps(KernelMaker& maker, const FusedOps& fused, std::size_t count,
                  const dnnl::memory::desc& output, std::vector<PrimitiveArgument>& arguments);

/// Makes what `make(attributes)` gives with as many operations as the primitive keeps its speed
/// with, of the first `most`: with too many, oneDNN falls back to an implementation of another
/// name. `fused` and `count` are set to what was taken.
template <typename MakeDesc>
auto MakeWithFusedOps(const KernelMaker& maker, const dnnl::memory::dims& dims,
                      std::size_t channel_axis, const dnnl::primitive_attr& attributes,
                      FusedOps& fused, std::size_t& count, const MakeDesc& make,
                      std::size_t most = std::numeric_limits<std::size_t>::max()) {
  auto plain = make(attributes);
  for (count = std::min(most, CountFusableOps(maker, dims, channel_axis)); count > 0; --count) {
    fused = FuseOps(maker, dims, channel_axis, count);
    dnnl::primitive_attr with_ops = attributes;
    with_ops.set_post_ops(fused.ops);
    auto desc = make(with_ops);
    if (desc && std::string(desc.impl_info_str()) == plain.impl_info_str()) return desc;
  }
  fused = FusedOps();
  return plain;
}

}  // namespace cpuacc
}  // namespace backplane
