#include "graph/graph_import.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "graph/node.hpp"
#include "graph/operator_table.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

void ConvertNode(Node& node) {
  if (node.GetOpset() < 6) node.GetAttributes().Ignore("consumed_inputs");  // a hint on memory
  const ::onnx::NodeProto& proto = node.GetProto();
  FindConverter(NormaliseDomain(proto.domain()), proto.op_type())(node);
  node.GetAttributes().RefuseUnread();
}

bool IsFromImporter(DiagnosticCode code) {
  return code == DiagnosticCode::kUnsupportedAttribute || code == DiagnosticCode::kInvalidModel ||
         code == DiagnosticCode::kDataDependentShape ||
         code == DiagnosticCode::kUnsupportedOperator;
}

// What the network says of a layer becomes the cause of what is said of the node.
Diagnostic DescribeFailure(const Node& node, const Diagnostic& diagnostic) {
  if (IsFromImporter(diagnostic.code)) return diagnostic;
  return MakeError(DiagnosticCode::kInvalidModel, {SubjectKind::kLayer, node.GetName()},
                   node.GetDescription() + " cannot be imported", "its layer is refused",
                   "correct the model and export it again", {diagnostic});
}

void RememberOutputs(const ::onnx::NodeProto& proto, Scope& scope) {
  scope.failed.insert(proto.output().begin(), proto.output().end());
}

}  // namespace

void GraphImport::ImportNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                              Scope& scope) {
  for (int index = 0; index < nodes.size(); ++index) {
    ImportNode(nodes[index], static_cast<std::size_t>(index), scope);
  }
}

void GraphImport::ImportNode(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope) {
  const auto is_failed = [&](const std::string& name) { return scope.failed.count(name) > 0; };
  if (std::any_of(proto.input().begin(), proto.input().end(), is_failed)) {
    return RememberOutputs(proto, scope);
  }
  Node node(proto, index, scope);
  try {
    ConvertNode(node);
  } catch (const DiagnosticException& exception) {
    failures_.push_back(DescribeFailure(node, exception.GetDiagnostic()));
    RememberOutputs(proto, scope);
  } catch (const AlreadyReported&) {
    RememberOutputs(proto, scope);
  }
}

void GraphImport::ThrowFailures(const std::string& path) {
  if (failures_.empty()) return;
  const DiagnosticCode code = failures_.front().code;
  const std::string count = Count(failures_.size(), "node");
  ThrowError(code, {SubjectKind::kModel, path}, path + " cannot be imported",
             count + " cannot be converted", "see what follows for each", std::move(failures_));
}

}  // namespace backplane::onnx
