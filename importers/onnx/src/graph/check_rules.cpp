#include "graph/check_rules.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "nodes/operator_sets.hpp"
#include "nodes/scope.hpp"

#include <onnx/checker.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <utility>
#include <vector>

namespace backplane::onnx {
namespace {

using ::onnx::checker::CheckerContext;
using ::onnx::checker::LexicalScopeContext;

constexpr std::int64_t kFirstIrVersionWithFunctions = 8;

bool IsKnownToChecker(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                      const Opsets& opsets);

// Does the checker have the version of the operator? Of domains that it has nothing of, it looks at
// what all nodes have.
bool HasVersion(const ::onnx::NodeProto& node, const Opsets& opsets) {
  const std::string domain = NormaliseDomain(node.domain());
  const auto& ranges = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  const auto range = ranges.find(domain);
  if (range == ranges.end()) return true;
  const auto stated = opsets.find(domain);
  if (stated == opsets.end()) return true;  // it says so
  const bool is_newer = !domain.empty() && stated->second > range->second.second;
  return !is_newer && FindSchema(domain, node.op_type(), stated->second) != nullptr;
}

// The same of a node with all in the graphs within it.
bool IsKnownToChecker(const ::onnx::NodeProto& node, const Opsets& opsets) {
  return HasVersion(node, opsets) &&
         std::all_of(node.attribute().begin(), node.attribute().end(), [&](const auto& attribute) {
           return !attribute.has_g() || IsKnownToChecker(attribute.g().node(), opsets);
         });
}

bool IsKnownToChecker(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                      const Opsets& opsets) {
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](const auto& node) { return IsKnownToChecker(node, opsets); });
}

CheckerContext MakeCheckerContext(const ::onnx::ModelProto& model, const std::string& path) {
  CheckerContext context;
  context.set_ir_version(static_cast<int>(model.ir_version()));
  context.set_model_dir(std::filesystem::path(path).parent_path().string());
  std::unordered_map<std::string, int> opsets;
  for (const auto& import : model.opset_import()) {
    opsets[import.domain()] = static_cast<int>(import.version());
  }
  // Models before IR version 3 state no operator set and use the first.
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

bool IsKnownFunction(const ::onnx::FunctionProto& function) {
  return IsKnownToChecker(function.node(), ReadOpsets(function.opset_import()));
}

// Functions with what the checker does not know are left out.
void CheckFunctions(const ::onnx::ModelProto& model, const CheckerContext& context) {
  const LexicalScopeContext outside;
  const auto& functions = model.functions();
  if (std::all_of(functions.begin(), functions.end(), IsKnownFunction)) {
    return ::onnx::checker::check_model_local_functions(model, context, outside);
  }
  ::onnx::ModelProto known;
  for (const ::onnx::FunctionProto& function : functions) {
    if (IsKnownFunction(function)) *known.add_functions() = function;
  }
  ::onnx::checker::check_model_local_functions(known, context, outside);
}

}  // namespace

// Not check_model, which takes data in other files to be beside the process and not beside the
// model. Nor check_graph: it stops at the first fault, and wants shapes that outputs may lack;
// names and the order of nodes are checked when these are converted.
void CheckRules(const ::onnx::ModelProto& model, const std::string& path) {
  RuleSearch search(path);
  const CheckerContext context = MakeCheckerContext(model, path);
  const Opsets opsets = ReadOpsets(model.opset_import());
  LexicalScopeContext names;
  CollectNames(model.graph(), names);
  for (int index = 0; index < model.graph().node_size(); ++index) {
    const ::onnx::NodeProto& node = model.graph().node(index);
    const std::string name = NameNode(node, static_cast<std::size_t>(index));
    if (IsKnownToChecker(node, opsets)) {
      search.Run("node " + name + " (" + node.op_type() + "): ", {SubjectKind::kLayer, name},
                 [&] { ::onnx::checker::check_node(node, context, names); });
    }
    for (const std::string& output : node.output()) names.add(output);
  }
  if (model.ir_version() >= kFirstIrVersionWithFunctions) {
    search.Run("", {SubjectKind::kModel, path}, [&] { CheckFunctions(model, context); });
  }
  search.ThrowFound();
  if (const ::onnx::NodeProto* const twin = FindTwin(model.graph().node())) {
    ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kLayer, twin->name()},
               "two nodes of " + path + " are called " + twin->name(),
               "the second has the operator " + twin->op_type() +
                   "; expected nodes of one graph that each have a name of their own, or none",
               "rename one of the two");
  }
}

}  // namespace backplane::onnx
