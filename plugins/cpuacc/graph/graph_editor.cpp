#include "graph/graph_editor.hpp"

#include "graph/node_order.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

void Replace(std::vector<TensorId>& tensors, TensorId from, TensorId to) {
  std::replace(tensors.begin(), tensors.end(), from, to);
}

}  // namespace

GraphEditor::GraphEditor(Graph& graph) : graph_(graph) {
  MakeRoom();
  for (const TensorId output : graph.outputs) is_output_[output] = true;
  for (NodeIndex index = 0; index < GetCount(); ++index) Learn(index);
}

NodeIndex GraphEditor::GetMaker(TensorId tensor) const {
  return makers_[tensor];
}

std::uint32_t GraphEditor::CountReads(TensorId tensor) const {
  return static_cast<std::uint32_t>(readers_[tensor].size()) + (is_output_[tensor] ? 1 : 0);
}

const std::vector<NodeIndex>& GraphEditor::GetReaders(TensorId tensor) const {
  return readers_[tensor];
}

bool GraphEditor::IsOutput(TensorId tensor) const {
  return is_output_[tensor];
}

TensorId GraphEditor::AddTensor(const TensorInfo& info) {
  GraphTensor tensor;
  tensor.info = info;
  graph_.tensors.push_back(std::move(tensor));
  MakeRoom();
  return static_cast<TensorId>(graph_.tensors.size() - 1);
}

NodeIndex GraphEditor::AddNode(Node node) {
  graph_.nodes.push_back(std::move(node));
  Learn(GetCount() - 1);
  return GetCount() - 1;
}

void GraphEditor::SetNode(NodeIndex index, Node node) {
  Edit(index, [&](Node& changed) { changed = std::move(node); });
}

void GraphEditor::Remove(NodeIndex index) {
  Edit(index, [](Node& node) { node.is_removed = true; });
}

void GraphEditor::RedirectReaders(TensorId from, TensorId to) {
  const std::vector<NodeIndex> readers = readers_[from];
  for (const NodeIndex reader : readers) {
    Edit(reader, [&](Node& node) { Replace(node.inputs, from, to); });
  }
}

bool GraphEditor::RemoveIdentity(NodeIndex index, std::size_t input) {
  const TensorId from = graph_.nodes[index].inputs[input];
  const TensorId to = graph_.nodes[index].outputs[0];
  if (!is_output_[to]) {
    Remove(index);
    RedirectReaders(to, from);
    return true;
  }
  const NodeIndex maker = makers_[from];
  if (maker == kNoNode || is_output_[from]) return false;
  Remove(index);
  RedirectReaders(from, to);
  Edit(maker, [&](Node& node) { Replace(node.outputs, from, to); });
  return true;
}

void GraphEditor::Finish() {
  CompactNodes(graph_);
}

void GraphEditor::Learn(NodeIndex index) {
  MakeRoom();
  const Node& node = graph_.nodes[index];
  if (node.is_removed) return;
  for (const TensorId output : node.outputs) makers_[output] = index;
  for (const TensorId input : node.inputs) readers_[input].push_back(index);
}

void GraphEditor::Forget(NodeIndex index) {
  const Node& node = graph_.nodes[index];
  if (node.is_removed) return;
  for (const TensorId output : node.outputs) {
    if (makers_[output] == index) makers_[output] = kNoNode;
  }
  for (const TensorId input : node.inputs) {
    std::vector<NodeIndex>& readers = readers_[input];
    readers.erase(std::find(readers.begin(), readers.end(), index));
  }
}

void GraphEditor::MakeRoom() {
  makers_.resize(graph_.tensors.size(), kNoNode);
  readers_.resize(graph_.tensors.size());
  is_output_.resize(graph_.tensors.size(), false);
}

}  // namespace cpuacc
}  // namespace backplane
