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

void CollectNamesRead(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                      std::set<std::string>& names) {
  for (const auto& node : nodes) CollectNamesRead(node, names);
}

void CollectNamesRead(const ::onnx::NodeProto& node, std::set<std::string>& names) {
  names.insert(node.input().begin(), node.input().end());
  for (const auto& attribute : node.attribute()) {
    if (!attribute.has_g()) continue;
    CollectNamesRead(attribute.g().node(), names);
    for (const auto& output : attribute.g().output()) names.insert(output.name());
  }
}

std::shared_ptr<const NamesRead> FindNamesRead(const ::onnx::GraphProto& graph) {
  std::set<std::string> names;
  CollectNamesRead(graph.node(), names);
  for (const auto& output : graph.output()) names.insert(output.name());
  return std::make_shared<const NamesRead>(names.begin(), names.end());
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
