#pragma once

#include "constants/folded_nodes.hpp"
#include "graph/graph_editor.hpp"

#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {

/// Runs a graph without inputs, with one thread, and gives its outputs, plain.
/// Errors: dnnl::error, std::bad_alloc.
std::vector<std::shared_ptr<void>> RunConstantGraph(Graph graph);

/// The same of a node whose inputs are constant.
std::vector<std::shared_ptr<void>> RunNode(const Graph& graph, const Node& node);

/// The outputs of a node whose inputs are constant: those that another graph has, or what `make`
/// gives. Small outputs are always made.
/// Errors: those of `make`.
std::vector<FoldedNodes::Content> FindFolded(const Graph& graph, const Node& node,
                                             const FoldedNodes::Make& make);

/// Puts what RunNode gives in the place of a node, none of whose outputs is the graph's.
void FoldNode(GraphEditor& editor, NodeIndex index);

}  // namespace cpuacc
}  // namespace backplane
