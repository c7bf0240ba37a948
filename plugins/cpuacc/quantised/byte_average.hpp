#pragma once

/// Averages of quantised bytes under windows, exact: sums are integers, and what they stand for is
/// a number of double without loss.

#include "kernel_builders/kernel_maker.hpp"
#include "kernel_builders/layer.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Refuses windows of so many elements that sums would be rounded.
void RequireModestWindows(const Layer& layer, const PoolingDescriptor& pooling, Refusal& refusal);

/// Of bytes with one scale each. Channels lie last.
std::unique_ptr<const Kernel> MakeByteAverage(KernelMaker& maker, const PoolingDescriptor& pooling);

}  // namespace cpuacc
}  // namespace backplane
