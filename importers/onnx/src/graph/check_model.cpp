#include "graph/check_model.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "folding/fold_node.hpp"
#include "functions/local_functions.hpp"
#include "nodes/operator_sets.hpp"
#include "nodes/scope.hpp"
#include "operators/operator_table.hpp"
#include "operators/stage_operator.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

/// All nodes with one operator that cannot be imported.
struct UnsupportedOperator {
  std::string domain;  // "" for the default domain
  std::string op_type;
  std::int64_t version;  // of the domain
  std::vector<std::string> nodes;
};

std::string GetFullName(const UnsupportedOperator& unsupported) {
  return unsupported.domain.empty() ? unsupported.op_type
                                    : unsupported.domain + "." + unsupported.op_type;
}

// What stands before the names of many nodes.
std::string MakePrefix(const std::string& name) {
  constexpr std::size_t kMaxBytes = 256;
  return (name.size() <= kMaxBytes ? name : name.substr(0, kMaxBytes) + "...") + "/";
}

/// Looks at the nodes of the model and of the functions it calls. Branches are not looked at: only
/// one of them is taken.
class OperatorSearch {
 public:
  OperatorSearch(const ::onnx::ModelProto& model, bool may_be_staged)
      : functions_(model), may_be_staged_(may_be_staged) {}

  void Search(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
              const Opsets& opsets, const std::string& prefix = "", std::uint32_t depth = 0) {
    for (int index = 0; index < nodes.size(); ++index) {
      const ::onnx::NodeProto& node = nodes[index];
      Visit(node, opsets, prefix + NameNode(node, static_cast<std::size_t>(index)), depth);
    }
  }

  /// In the order of their first nodes.
  const std::vector<UnsupportedOperator>& GetFound() const { return found_; }

 private:
  void Visit(const ::onnx::NodeProto& node, const Opsets& opsets, const std::string& name,
             std::uint32_t depth) {
    const std::string domain = NormaliseDomain(node.domain());
    if (const LocalFunction* found = functions_.Find(node)) {
      const ::onnx::FunctionProto& function = *found->proto;
      if (depth == kMaxDepth || !visited_.insert(&function).second) return;
      return Search(function.node(), ReadOpsets(function.opset_import()), MakePrefix(name),
                    depth + 1);
    }
    const std::int64_t version = FindVersion(node, opsets);
    if (may_be_staged_ && FindStageOperator(domain, node.op_type())) return;
    if (!CanNeverBeImported(domain, node.op_type())) return;
    const auto [same, is_new] =
        positions_.emplace(std::pair(domain, node.op_type()), found_.size());
    if (is_new) found_.push_back({domain, node.op_type(), version, {}});
    found_[same->second].nodes.push_back(name);
  }

  static bool CanNeverBeImported(const std::string& domain, const std::string& op_type) {
    if (FindConverter(domain, op_type) != nullptr || CanFold(domain, op_type)) return false;
    const RefusedOperator* refused = FindRefused(domain, op_type);
    return refused == nullptr || refused->code == DiagnosticCode::kUnsupportedOperator;
  }

  LocalFunctions functions_;
  const bool may_be_staged_;
  std::set<const ::onnx::FunctionProto*> visited_;
  std::vector<UnsupportedOperator> found_;
  std::map<std::pair<std::string, std::string>, std::size_t> positions_;  // by domain and operator
};

// A name that ONNX itself does not know is likely misspelt. For all others the headline has the
// fix.
std::string ProposeCorrection(const UnsupportedOperator& unsupported) {
  if (IsOperatorOfOnnx(unsupported.op_type) || !unsupported.domain.empty()) return "";
  const std::string suggestion = SuggestNearest(unsupported.op_type, GetSupportedOperators());
  if (unsupported.version > kLastOpset) {
    return suggestion + "no operator set up to " + std::to_string(kLastOpset) +
           " has it; export the model for that one if it can be";
  }
  return suggestion.empty() ? "this is no operator of ONNX; correct the model"
                            : suggestion + "ONNX has no such operator";
}

// "node a has", "3 nodes, a, b and c, have".
std::string ListNodes(const std::vector<std::string>& nodes) {
  constexpr std::size_t kMaxNamed = 20;
  if (nodes.size() == 1) return "node " + nodes.front() + " has";
  std::string text = std::to_string(nodes.size()) + " nodes";
  for (std::size_t i = 0; i < std::min(nodes.size(), kMaxNamed); ++i) text += ", " + nodes[i];
  if (nodes.size() > kMaxNamed) text += " and others";
  return text + ", have";
}

Diagnostic DescribeOperator(const UnsupportedOperator& unsupported) {
  const std::string version = "domain " +
                              (unsupported.domain.empty() ? "ai.onnx" : unsupported.domain) +
                              ", operator set " + std::to_string(unsupported.version);
  const RefusedOperator* refused = FindRefused(unsupported.domain, unsupported.op_type);
  const std::string reason = refused != nullptr ? std::string("; it ") + refused->reason : "";
  return MakeError(DiagnosticCode::kUnsupportedOperator,
                   {SubjectKind::kLayer, unsupported.nodes.front()},
                   ListNodes(unsupported.nodes) + " the operator " + unsupported.op_type,
                   version + reason, ProposeCorrection(unsupported));
}

}  // namespace

std::optional<UnsupportedOperators> FindUnsupportedOperators(const ::onnx::ModelProto& model,
                                                             const Opsets& opsets,
                                                             const std::string& path,
                                                             bool may_be_staged) {
  OperatorSearch search(model, may_be_staged);
  search.Search(model.graph().node(), opsets);
  const std::vector<UnsupportedOperator>& found = search.GetFound();
  if (found.empty()) return {};
  UnsupportedOperators result;
  std::vector<Diagnostic> causes;
  std::string summary;
  for (const UnsupportedOperator& unsupported : found) {
    causes.push_back(DescribeOperator(unsupported));
    result.names.emplace(unsupported.domain, unsupported.op_type);
    summary += (summary.empty() ? "" : ", ") + GetFullName(unsupported) + " (" +
               Count(unsupported.nodes.size(), "node") + ")";
  }
  result.error = MakeError(
      DiagnosticCode::kUnsupportedOperator, {SubjectKind::kModel, path},
      path + " uses " + Count(found.size(), "operator") + " that cannot be imported",
      "found " + summary + "; docs/onnx-models.md#operators lists those that can be imported",
      "export the model without them", std::move(causes));
  return result;
}

}  // namespace backplane::onnx
