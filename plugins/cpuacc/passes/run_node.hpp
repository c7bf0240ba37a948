#pragma once

#include "graph/graph.hpp"

#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Runs a node whose inputs are constant, with one thread, and gives its outputs, plain.
/// Errors: dnnl::error, std::bad_alloc.
std::vector<std::shared_ptr<void>> RunNode(const Graph& graph, const Node& node);

}  // namespace cpuacc
}  // namespace backplane
