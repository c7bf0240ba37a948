#pragma once

/// The greatest of float32 where some are no numbers.

#include "cpu_layers/window.hpp"
#include "kernel_builders/kernel.hpp"

#include <backplane/api/descriptors/pooling.hpp>
#include <backplane/api/tensor_info.hpp>

#include <dnnl.hpp>

#include <memory>

namespace backplane {
namespace cpuacc {

/// Runs max pooling of oneDNN, which passes over NaN, and knows nothing below the least finite
/// number. When the input has any of these, the windows are gone through again, in loops.
std::unique_ptr<const Kernel> MakeMaximumOfAll(std::unique_ptr<const Kernel> pooling,
                                               const cpu_layers::Window& window,
                                               const dnnl::memory::desc& source,
                                               const dnnl::memory::desc& target);

}  // namespace cpuacc
}  // namespace backplane
