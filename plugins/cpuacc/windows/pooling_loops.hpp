#pragma once

/// Pooling of plain tensors in loops of our own, for windows that oneDNN does not know.

#include "cpu_layers/window.hpp"
#include "kernel_builders/kernel.hpp"

#include <backplane/api/descriptors/pooling.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuacc {

/// Of float32, or the greatest of int8 or uint8.
std::unique_ptr<const Kernel> MakePoolingLoops(const PoolingDescriptor& pooling,
                                               const cpu_layers::Window& window,
                                               std::int64_t num_planes, DataType type);

}  // namespace cpuacc
}  // namespace backplane
