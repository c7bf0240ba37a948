#include "graph/check_model.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "graph/operator_table.hpp"
#include "tensors/tensor_proto.hpp"

#include <onnx/checker.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <vector>

namespace backplane::onnx {
namespace {

// The last operator set that libonnx 1.12 knows and the operators were written for.
constexpr std::int64_t kLastOpset = 17;
constexpr std::int64_t kLastIrVersion = 8;
// Models before IR version 3 state no operator set and use the first.
constexpr std::int64_t kFirstIrVersionWithOpsets = 3;

bool IsDefaultDomain(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}

bool UsesDefaultDomain(const ::onnx::GraphProto& graph) {
  return std::any_of(graph.node().begin(), graph.node().end(),
                     [](const auto& node) { return IsDefaultDomain(node.domain()); });
}

[[noreturn]] void ThrowUnsupportedVersion(const std::string& path, const std::string& why) {
  ThrowError(DiagnosticCode::kUnsupportedOpset, {SubjectKind::kModel, path},
             path + " is of a version that is not supported", why,
             "export it for operator set " + std::to_string(kLastOpset) +
                 ", or convert it with onnx.version_converter");
}

std::string JoinSupported() {
  std::string text;
  for (const std::string& name : GetSupportedOperators()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// All nodes with one operator that cannot be imported.
struct UnsupportedOperator {
  std::string domain;  // "" for the default domain
  std::string op_type;
  std::string first_node;
  std::size_t num_nodes = 0;
};

std::string GetFullName(const UnsupportedOperator& unsupported) {
  return unsupported.domain.empty() ? unsupported.op_type
                                    : unsupported.domain + "." + unsupported.op_type;
}

// In the order of their first nodes.
std::vector<UnsupportedOperator> FindUnsupported(const ::onnx::GraphProto& graph) {
  std::vector<UnsupportedOperator> found;
  for (int index = 0; index < graph.node_size(); ++index) {
    const ::onnx::NodeProto& node = graph.node(index);
    const std::string domain = IsDefaultDomain(node.domain()) ? "" : node.domain();
    if (FindConverter(domain, node.op_type()) != nullptr) continue;
    auto same = std::find_if(found.begin(), found.end(), [&](const UnsupportedOperator& other) {
      return other.op_type == node.op_type() && other.domain == domain;
    });
    if (same == found.end()) {
      const std::string name =
          node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
      same = found.insert(found.end(), {domain, node.op_type(), name, 0});
    }
    ++same->num_nodes;
  }
  return found;
}

// A name that ONNX itself does not know is likely misspelt. For all others the headline has the
// fix.
std::string ProposeCorrection(const UnsupportedOperator& unsupported) {
  const bool is_known = ::onnx::OpSchemaRegistry::Schema(unsupported.op_type) != nullptr;
  if (is_known || !unsupported.domain.empty()) return "";
  const std::string suggestion = SuggestNearest(unsupported.op_type, GetSupportedOperators());
  return suggestion.empty() ? "this is no operator of ONNX; correct the model"
                            : suggestion + "ONNX has no such operator";
}

Diagnostic DescribeOperator(const UnsupportedOperator& unsupported, std::int64_t opset) {
  const std::string nodes = unsupported.num_nodes == 1
                                ? "node " + unsupported.first_node + " has"
                                : std::to_string(unsupported.num_nodes) + " nodes, first " +
                                      unsupported.first_node + ", have";
  const std::string version = unsupported.domain.empty()
                                  ? "domain ai.onnx, operator set " + std::to_string(opset)
                                  : "domain " + unsupported.domain;
  return MakeError(
      DiagnosticCode::kUnsupportedOperator, {SubjectKind::kLayer, unsupported.first_node},
      nodes + " the operator " + unsupported.op_type, version, ProposeCorrection(unsupported));
}

}  // namespace

std::int64_t ReadOpset(const ::onnx::ModelProto& model, const std::string& path) {
  if (model.ir_version() > kLastIrVersion) {
    ThrowUnsupportedVersion(path, "it has IR version " + std::to_string(model.ir_version()) +
                                      "; supported are 1 to " + std::to_string(kLastIrVersion));
  }
  std::int64_t opset = model.ir_version() < kFirstIrVersionWithOpsets ? 1 : 0;
  for (const auto& import : model.opset_import()) {
    if (IsDefaultDomain(import.domain())) opset = import.version();
  }
  if (opset == 0 && !UsesDefaultDomain(model.graph())) return kLastOpset;  // it does not matter
  if (opset < 1 || opset > kLastOpset) {
    ThrowUnsupportedVersion(path, (opset == 0 ? "it states no operator set of ai.onnx"
                                              : "it uses operator set " + std::to_string(opset)) +
                                      "; supported are 1 to " + std::to_string(kLastOpset));
  }
  return opset;
}

void CheckOperators(const ::onnx::GraphProto& graph, std::int64_t opset, const std::string& path) {
  const std::vector<UnsupportedOperator> found = FindUnsupported(graph);
  if (found.empty()) return;
  std::vector<Diagnostic> causes;
  std::string summary;
  for (const UnsupportedOperator& unsupported : found) {
    causes.push_back(DescribeOperator(unsupported, opset));
    summary += (summary.empty() ? "" : ", ") + GetFullName(unsupported) + " (" +
               Count(unsupported.num_nodes, "node") + ")";
  }
  ThrowError(DiagnosticCode::kUnsupportedOperator, {SubjectKind::kModel, path},
             path + " uses " + Count(found.size(), "operator") + " that cannot be imported",
             "found " + summary + "; supported are " + JoinSupported(),
             "export the model without them", std::move(causes));
}

void CheckRules(const ::onnx::ModelProto& model, const std::string& path) {
  for (const ::onnx::TensorProto& tensor : model.graph().initializer()) {
    RefuseExternalData(tensor, {DiagnosticCode::kInvalidModel,
                                {SubjectKind::kModel, path},
                                "the initializer " + tensor.name() + " of " + path});
  }
  try {
    ::onnx::checker::check_model(model);
  } catch (const std::exception& exception) {
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
               path + " breaks the rules of ONNX", "the checker of ONNX refuses it",
               "correct the model and export it again",
               {MakeVerbatimCause(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path},
                                  exception.what())});
  }
}

}  // namespace backplane::onnx
