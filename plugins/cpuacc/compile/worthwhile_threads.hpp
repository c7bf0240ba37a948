#pragma once

/// How many threads are worth starting for one step.

#include "graph/graph.hpp"

#include <cstdint>

namespace backplane {
namespace cpuacc {

/// One for a step that would be done before others have woken up; else all.
int ChooseThreads(const Graph& graph, const Node& node, int num_threads);

/// The same for a step that moves so many bytes.
int ChooseThreads(std::uint64_t size_bytes, int num_threads);

}  // namespace cpuacc
}  // namespace backplane
