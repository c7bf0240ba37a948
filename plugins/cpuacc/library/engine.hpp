#pragma once

/// oneDNN's entry: one engine for the process.

#include <dnnl.hpp>

namespace backplane {
namespace cpuacc {

/// The CPU. Made at first use; stays until the library is unloaded.
/// Errors: dnnl::error.
const dnnl::engine& GetEngine();

}  // namespace cpuacc
}  // namespace backplane
