#pragma once

#include <backplane/runtime/placement.hpp>

#include <string>

namespace backplane {

/// The name of a layer's node in DOT.
std::string GetDotNode(LayerId layer);

/// The edges of a plan in DOT. Those on which bytes are copied, or memory is imported, stand out;
/// then a legend is before them.
std::string MakeDotEdges(const Placement& placement);

}  // namespace backplane
