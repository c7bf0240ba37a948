#include "nodes/scope.hpp"

namespace backplane::onnx {
namespace {

std::size_t CountNames(const ::onnx::NodeProto& node) {
  return static_cast<std::size_t>(node.input_size()) + static_cast<std::size_t>(node.output_size());
}

std::size_t CountValues(const ::onnx::AttributeProto& attribute) {
  constexpr std::size_t kText = 256;
  return attribute.s().size() / kText + static_cast<std::size_t>(attribute.ints_size()) +
         static_cast<std::size_t>(attribute.floats_size()) +
         static_cast<std::size_t>(attribute.strings_size());
}

}  // namespace

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

std::size_t CollectNamesRead(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                             std::set<std::string>& names) {
  std::size_t size = 0;
  for (const auto& node : nodes) size += CollectNamesRead(node, names);
  return size;
}

std::size_t CollectNamesRead(const ::onnx::NodeProto& node, std::set<std::string>& names) {
  names.insert(node.input().begin(), node.input().end());
  std::size_t size = 1 + CountNames(node);
  for (const auto& attribute : node.attribute()) {
    size += 1 + CountValues(attribute);
    if (!attribute.has_g()) continue;
    size += CollectNamesRead(attribute.g().node(), names);
    for (const auto& output : attribute.g().output()) names.insert(output.name());
    size += static_cast<std::size_t>(attribute.g().output_size());
  }
  return size;
}

std::size_t CountBoundValues(const ::onnx::NodeProto& node, const Scope& scope) {
  if (scope.bound == nullptr) return 0;
  std::size_t size = 0;
  for (const auto& attribute : node.attribute()) {
    const auto found = scope.bound->find(attribute.ref_attr_name());
    if (found != scope.bound->end()) size += CountValues(*found->second);
  }
  return size;
}

}  // namespace backplane::onnx
