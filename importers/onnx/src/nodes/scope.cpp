#include "nodes/scope.hpp"

#include <string_view>
#include <unordered_set>

namespace backplane::onnx {

std::string NormaliseDomain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

std::string NameNode(const ::onnx::NodeProto& node, std::size_t index) {
  return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
}

Opsets ReadOpsets(const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports) {
  Opsets opsets;
  for (const auto& import : imports) opsets[NormaliseDomain(import.domain())] = import.version();
  return opsets;
}

std::int64_t FindVersion(const ::onnx::NodeProto& node, const Opsets& opsets) {
  const auto found = opsets.find(NormaliseDomain(node.domain()));
  return found != opsets.end() ? found->second : 1;
}

namespace {

/// Collects what the nodes of a graph, and the graphs within them, read and give.
void CollectNamesRead(const ::onnx::GraphProto& graph, NamesRead& names) {
  for (const auto& node : graph.node()) {
    names.insert(node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute()) CollectNamesRead(attribute.g(), names);
  }
  for (const auto& output : graph.output()) names.insert(output.name());
}

void CollectReadAround(const ::onnx::NodeProto& node, std::set<std::string>& names);

/// Collects the names that a graph reads from the graphs around it.
void CollectReadAround(const ::onnx::GraphProto& graph, std::set<std::string>& names) {
  std::unordered_set<std::string_view> own;
  for (const auto& input : graph.input()) own.insert(input.name());
  for (const auto& initializer : graph.initializer()) own.insert(initializer.name());
  for (const auto& sparse : graph.sparse_initializer()) own.insert(sparse.values().name());
  for (const auto& node : graph.node()) own.insert(node.output().begin(), node.output().end());
  const auto add = [&](const std::string& name) {
    if (own.count(name) == 0) names.insert(name);
  };
  for (const auto& node : graph.node()) {
    for (const auto& input : node.input()) add(input);
    std::set<std::string> within;
    CollectReadAround(node, within);
    for (const std::string& name : within) add(name);
  }
  for (const auto& output : graph.output()) add(output.name());
}

/// Collects the names that the graphs within a node read from around them.
void CollectReadAround(const ::onnx::NodeProto& node, std::set<std::string>& names) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) CollectReadAround(attribute.g(), names);
  }
}

}  // namespace

std::shared_ptr<const NamesRead> FindNamesRead(const ::onnx::GraphProto& graph) {
  auto names = std::make_shared<NamesRead>();
  CollectNamesRead(graph, *names);
  return names;
}

std::shared_ptr<const NodeReads> FindNodeReads(const ::onnx::GraphProto& graph) {
  auto reads = std::make_shared<NodeReads>(static_cast<std::size_t>(graph.node_size()));
  for (std::size_t i = 0; i < reads->size(); ++i) {
    const ::onnx::NodeProto& node = graph.node(static_cast<int>(i));
    NodeRead& read = (*reads)[i];
    CollectReadAround(node, read.within);
    read.all = read.within;
    read.all.insert(node.input().begin(), node.input().end());
  }
  return reads;
}

const ::onnx::NodeProto* FindTwin(
    const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes) {
  std::unordered_set<std::string_view> names;
  for (const auto& node : nodes) {
    // Constants are values, as initializers are.
    const bool is_named = !node.name().empty() && node.op_type() != "Constant";
    if (is_named && !names.insert(node.name()).second) return &node;
    for (const auto& attribute : node.attribute()) {
      if (const ::onnx::NodeProto* const twin = FindTwin(attribute.g().node())) return twin;
    }
  }
  return nullptr;
}

}  // namespace backplane::onnx
