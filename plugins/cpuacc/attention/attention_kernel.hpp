#pragma once

#include "kernel_builders/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// The kernel of a node with an AttentionDescriptor. It keeps the scores of a block of queries and
/// keys at a time: its scratch memory does not depend on how many there are.
std::unique_ptr<const Kernel> MakeAttention(KernelMaker& maker);

}  // namespace cpuacc
}  // namespace backplane
