#include "graph/check_model.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "folding/fold_node.hpp"
#include "functions/local_functions.hpp"
#include "functions/schema_function.hpp"
#include "nodes/scope.hpp"
#include "operators/operator_table.hpp"
#include "operators/stage_operator.hpp"

#include <onnx/checker.h>
#include <onnx/defs/schema.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

// The last operator set that libonnx 1.12 knows and the operators were written for.
constexpr std::int64_t kLastOpset = 17;
constexpr std::int64_t kLastIrVersion = 8;
// Models before IR version 3 state no operator set and use the first.
constexpr std::int64_t kFirstIrVersionWithOpsets = 3;
constexpr std::int64_t kFirstIrVersionWithFunctions = 8;
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

std::string NameNode(const ::onnx::NodeProto& node, int index) {
  return node.name().empty() ? node.op_type() + "_" + std::to_string(index) : node.name();
}

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
      Visit(node, opsets, prefix + NameNode(node, index), depth);
    }
  }

  /// In the order of their first nodes.
  const std::vector<UnsupportedOperator>& GetFound() const { return found_; }

 private:
  void Visit(const ::onnx::NodeProto& node, const Opsets& opsets, const std::string& name,
             std::uint32_t depth) {
    const std::string domain = NormaliseDomain(node.domain());
    if (const auto* function = functions_.Find(domain, node.op_type())) {
      if (depth == kMaxDepth || !visited_.insert(function).second) return;
      return Search(function->node(), ReadOpsets(function->opset_import()), MakePrefix(name),
                    depth + 1);
    }
    const auto opset = opsets.find(domain);
    const std::int64_t version = opset != opsets.end() ? opset->second : 1;
    if (may_be_staged_ && FindStageOperator(domain, node.op_type())) return;
    if (!CanNeverBeImported(domain, node.op_type(), version)) return;
    const auto [same, is_new] =
        positions_.emplace(std::pair(domain, node.op_type()), found_.size());
    if (is_new) found_.push_back({domain, node.op_type(), version, {}});
    found_[same->second].nodes.push_back(name);
  }

  static bool CanNeverBeImported(const std::string& domain, const std::string& op_type,
                                 std::int64_t version) {
    if (FindConverter(domain, op_type) != nullptr || CanFold(domain, op_type)) return false;
    const RefusedOperator* refused = FindRefused(domain, op_type);
    if (refused != nullptr) return refused->code == DiagnosticCode::kUnsupportedOperator;
    return !HasSchemaFunction(domain, op_type, version);
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
  const bool is_known = ::onnx::OpSchemaRegistry::Schema(unsupported.op_type) != nullptr;
  if (is_known || !unsupported.domain.empty()) return "";
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

Diagnostic WarnOfVersion(const std::string& path, const std::string& why) {
  Diagnostic warning = MakeError(
      DiagnosticCode::kUnsupportedOpset, {SubjectKind::kModel, path},
      path + " is of a newer version of ONNX than this importer was written for",
      why + "; it is read as far as it is known, and its rules are not checked",
      "export it for operator set " + std::to_string(kLastOpset) + " if it does not work");
  warning.severity = Severity::kWarning;
  return warning;
}

using ::onnx::checker::CheckerContext;
using ::onnx::checker::LexicalScopeContext;

CheckerContext MakeCheckerContext(const ::onnx::ModelProto& model, const std::string& path) {
  CheckerContext context;
  context.set_ir_version(static_cast<int>(model.ir_version()));
  context.set_model_dir(std::filesystem::path(path).parent_path().string());
  std::unordered_map<std::string, int> opsets;
  for (const auto& import : model.opset_import()) {
    opsets[import.domain()] = static_cast<int>(import.version());
  }
  if (model.ir_version() < kFirstIrVersionWithOpsets) opsets[""] = 1;
  context.set_opset_imports(opsets);
  return context;
}

/// Runs checks of ONNX's own checker and keeps what they refuse.
class RuleSearch {
 public:
  explicit RuleSearch(const std::string& path) : path_(path) {}

  template <typename Check>
  void Run(const std::string& prefix, Subject subject, const Check& check) {
    try {
      check();
    } catch (const std::exception& exception) {
      std::string text = exception.what();
      std::replace(text.begin(), text.end(), '\n', ' ');
      found_.push_back(
          MakeVerbatimCause(DiagnosticCode::kInvalidModel, std::move(subject), prefix + text));
    }
  }

  void ThrowFound() {
    if (found_.empty()) return;
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kModel, path_},
               path_ + " breaks the rules of ONNX", "the checker of ONNX refuses it",
               "correct the model and export it again", std::move(found_));
  }

 private:
  std::string path_;
  std::vector<Diagnostic> found_;
};

// The names of tensors that no node makes. What graphs within nodes see are these and the outputs
// of the nodes before.
void CollectNames(const ::onnx::GraphProto& graph, LexicalScopeContext& names) {
  for (const auto& input : graph.input()) names.add(input.name());
  for (const auto& tensor : graph.initializer()) names.add(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) names.add(tensor.values().name());
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

std::optional<UnsupportedOperators> FindUnsupportedOperators(const ::onnx::ModelProto& model,
                                                             std::int64_t opset,
                                                             const std::string& path,
                                                             bool may_be_staged) {
  Opsets opsets = ReadOpsets(model.opset_import());
  opsets[""] = opset;
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

// Not check_model, which takes data in other files to be beside the process and not beside the
// model. Nor check_graph: it stops at the first fault, and wants shapes that outputs may lack;
// names and the order of nodes are checked when these are converted.
void CheckRules(const ::onnx::ModelProto& model, const std::string& path) {
  RuleSearch search(path);
  const CheckerContext context = MakeCheckerContext(model, path);
  LexicalScopeContext names;
  CollectNames(model.graph(), names);
  for (int index = 0; index < model.graph().node_size(); ++index) {
    const ::onnx::NodeProto& node = model.graph().node(index);
    const std::string name = NameNode(node, index);
    search.Run("node " + name + " (" + node.op_type() + "): ", {SubjectKind::kLayer, name},
               [&] { ::onnx::checker::check_node(node, context, names); });
    for (const std::string& output : node.output()) names.add(output);
  }
  if (model.ir_version() >= kFirstIrVersionWithFunctions) {
    const LexicalScopeContext outside;
    search.Run("", {SubjectKind::kModel, path},
               [&] { ::onnx::checker::check_model_local_functions(model, context, outside); });
  }
  search.ThrowFound();
}

}  // namespace backplane::onnx
