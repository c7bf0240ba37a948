#pragma once

#include "kernel_builders/kernel.hpp"
#include "layout/layout.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Brings input 0 from one layout into another.
std::unique_ptr<const Kernel> MakeReorder(const TensorInfo& info, const Layout& from,
                                          const Layout& to, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
