#include "graph/scope.hpp"

namespace backplane::onnx {

std::string NormaliseDomain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

Opsets ReadOpsets(const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>& imports) {
  Opsets opsets;
  for (const auto& import : imports) opsets[NormaliseDomain(import.domain())] = import.version();
  return opsets;
}

void CollectNamesRead(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                      std::set<std::string>& names) {
  for (const auto& node : nodes) {
    names.insert(node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      CollectNamesRead(attribute.g().node(), names);
      for (const auto& output : attribute.g().output()) names.insert(output.name());
    }
  }
}

}  // namespace backplane::onnx
