#pragma once

#include "graph/graph.hpp"

#include <cstdint>

namespace backplane {

/// The bytes in which the constants of a graph lie. What several share counts once, also when their
/// data overlaps only in part.
std::uint64_t CountConstantBytes(const Graph& graph);

}  // namespace backplane
