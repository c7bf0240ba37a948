#pragma once

/// Layers that move nothing when their tensors lie well: views, parts, and joins.

#include "compile/values.hpp"
#include "graph/graph.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Output `output` of a node is a piece of input 0, which is plain: from this byte on. Empty when
/// the elements must be moved. For Reshape, Reinterpret, Slice, Split and Transpose of axes of
/// extent 1, without a chain.
std::optional<std::uint64_t> FindOffsetInInput(const Graph& graph, const Node& node,
                                               std::uint32_t output);

/// The layout of the output of a node that is all of its input, where that lies in `layout`, with
/// other axes: a Reinterpret, a Transpose that makes a tensor plain, or one with channels last for
/// layers that like it, or a Reshape of channels that lie last. Empty when the elements must be
/// moved, or no layout says how they lie.
std::optional<Layout> FindRelabelledLayout(const Graph& graph, const Node& node,
                                           const Layout& layout);

/// Where in the output of a Concat each input begins, when they lie there one after the other:
/// nothing but extents of 1 stands before the axis, and layouts do not break channels in the middle
/// of a block. Empty when the elements must be moved. `layout` is that of all inputs.
std::vector<std::uint64_t> FindOffsetsInJoin(const Graph& graph, const Node& node,
                                             const Layout& layout);

}  // namespace cpuacc
}  // namespace backplane
