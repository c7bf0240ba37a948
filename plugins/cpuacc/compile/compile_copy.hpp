#pragma once

#include "layout/layout.hpp"
#include "program/compiled_graph.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// A program that brings a tensor from one layout into another.
/// Errors: dnnl::error.
std::shared_ptr<const CompiledGraph> CompileCopy(const TensorInfo& info, const Layout& from,
                                                 const Layout& to, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
