#pragma once

/// What InstanceNormalization and GroupNormalization have in common: groups of neighbouring
/// channels of each batch entry are normalised together.

#include "kernel_builders/kernel_maker.hpp"

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// Inputs: what is normalised [N, C, ...], scale [C], bias [C]. `num_groups`, of one batch entry,
/// divides the channels.
std::unique_ptr<const Kernel> MakeChannelGroups(KernelMaker& maker, std::int64_t num_groups,
                                                float epsilon);

}  // namespace cpuacc
}  // namespace backplane
