#include "graph/model_version.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "nodes/operator_sets.hpp"
#include "nodes/scope.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

// The checker of ONNX goes over all of them for each function.
constexpr int kMaxOpsets = 100;

bool UsesDefaultDomain(const ::onnx::GraphProto& graph) {
  return std::any_of(graph.node().begin(), graph.node().end(),
                     [](const auto& node) { return NormaliseDomain(node.domain()).empty(); });
}

[[noreturn]] void ThrowUnsupportedVersion(const std::string& path, const std::string& why) {
  ThrowError(DiagnosticCode::kUnsupportedOpset, {SubjectKind::kModel, path},
             path + " is of a version that is not supported", why,
             "export it for operator set " + std::to_string(kLastOpset) +
                 ", or convert it with onnx.version_converter");
}

void CheckOpsetCount(const ::onnx::ModelProto& model, const std::string& path) {
  if (model.opset_import_size() <= kMaxOpsets) return;
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
             path + " cannot be imported",
             "it states " + std::to_string(model.opset_import_size()) + " operator sets; at most " +
                 std::to_string(kMaxOpsets) + " are supported",
             "state those alone whose operators it has");
}

Diagnostic WarnOfVersion(const std::string& path, const std::string& why) {
  Diagnostic warning = MakeError(
      DiagnosticCode::kUnsupportedOpset, {SubjectKind::kModel, path},
      path + " is of a newer version of ONNX than this importer was written for",
      why + "; it is read as far as it is known, and its rules are not checked",
      "export it for operator set " + std::to_string(kLastOpset) + " if it does not work");
  warning.severity = Severity::kWarning;
  return warning;
}

}  // namespace

ModelVersion ReadVersion(const ::onnx::ModelProto& model, const std::string& path) {
  CheckOpsetCount(model, path);
  const Opsets opsets = ReadOpsets(model.opset_import());
  const auto stated = opsets.find("");
  ModelVersion version;
  version.opset = model.ir_version() < kFirstIrVersionWithOpsets ? 1 : 0;
  if (stated != opsets.end()) version.opset = stated->second;
  if (stated == opsets.end() && version.opset == 0 && !UsesDefaultDomain(model.graph())) {
    version.opset = kLastOpset;  // it does not matter
  }
  if (version.opset < 1) {
    ThrowUnsupportedVersion(
        path, (stated == opsets.end() ? "it states no operator set of ai.onnx"
                                      : "it uses operator set " + std::to_string(version.opset)) +
                  "; supported are 1 to " + std::to_string(kLastOpset));
  }
  if (model.ir_version() > kLastIrVersion) {
    version.warnings.push_back(
        WarnOfVersion(path, "it has IR version " + std::to_string(model.ir_version()) +
                                "; known are 1 to " + std::to_string(kLastIrVersion)));
  }
  if (version.opset > kLastOpset) {
    version.warnings.push_back(
        WarnOfVersion(path, "it uses operator set " + std::to_string(version.opset) +
                                "; known are 1 to " + std::to_string(kLastOpset)));
  }
  return version;
}

}  // namespace backplane::onnx
