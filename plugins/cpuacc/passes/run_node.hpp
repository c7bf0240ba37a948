#pragma once

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

/// Puts what RunNode gives in the place of a node, none of whose outputs is the graph's.
void FoldNode(GraphEditor& editor, NodeIndex index);

}  // namespace cpuacc
}  // namespace backplane
