#include "graph/graph_import.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "folding/fold_node.hpp"
#include "nodes/node.hpp"
#include "nodes/operator_sets.hpp"
#include "operators/operator_table.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace backplane::onnx {
namespace {

constexpr std::size_t kMaxInlined = 1U << 20U;
// Names within begin with those around them, and a node may become a layer for each input.
constexpr std::size_t kMaxNameBytes = std::size_t{256} << 20U;

TensorOrigin DescribeInitializer(const std::string& name, const std::string& path) {
  return {DiagnosticCode::kInvalidModel,
          {SubjectKind::kModel, path},
          "the initializer " + name + " of " + path};
}

bool IsFromImporter(DiagnosticCode code) {
  return code == DiagnosticCode::kUnsupportedAttribute || code == DiagnosticCode::kInvalidModel ||
         code == DiagnosticCode::kDataDependentShape ||
         code == DiagnosticCode::kUnsupportedOperator || code == DiagnosticCode::kStageFailed;
}

// What the network says of a layer becomes the cause of what is said of the node.
Diagnostic DescribeFailure(const Node& node, const Diagnostic& diagnostic) {
  if (IsFromImporter(diagnostic.code)) return diagnostic;
  try {
    node.RefuseAsInvalid("its layer is refused");
  } catch (const DiagnosticException& exception) {
    Diagnostic failure = exception.GetDiagnostic();
    failure.causes.push_back(diagnostic);
    return failure;
  }
}

void RememberOutputs(const ::onnx::NodeProto& proto, Scope& scope) {
  scope.failed.insert(proto.output().begin(), proto.output().end());
}

bool IsKnown(const ::onnx::NodeProto& proto) {
  const std::string domain = NormaliseDomain(proto.domain());
  return FindConverter(domain, proto.op_type()) != nullptr || CanFold(domain, proto.op_type());
}

}  // namespace

void GraphImport::AddInitializers(const ::onnx::GraphProto& graph, Scope& scope) {
  for (const ::onnx::TensorProto& proto : graph.initializer()) {
    AddInitializer(proto, scope.owner, scope);
  }
  AddSparseInitializers(graph, scope);
}

void GraphImport::AddInitializer(const ::onnx::TensorProto& proto,
                                 const std::shared_ptr<const void>& owner, Scope& scope) {
  const TensorOrigin origin = DescribeInitializer(proto.name(), path_);
  scope.values.Add(proto.name(), reader_.Read(proto, origin, owner));
}

void GraphImport::TakeInitializers(::onnx::GraphProto& graph, Scope& scope) {
  for (::onnx::TensorProto& initializer : *graph.mutable_initializer()) {
    auto own = std::make_shared<::onnx::TensorProto>();
    own->Swap(&initializer);
    initializer.set_name(own->name());
    AddInitializer(*own, own, scope);
  }
  AddSparseInitializers(graph, scope);
}

void GraphImport::AddSparseInitializers(const ::onnx::GraphProto& graph, Scope& scope) {
  for (const ::onnx::SparseTensorProto& proto : graph.sparse_initializer()) {
    const std::string& name = proto.values().name();
    scope.values.Add(name, reader_.ReadSparse(proto, DescribeInitializer(name, path_)));
  }
}

void GraphImport::ImportNodes(const google::protobuf::RepeatedPtrField<::onnx::NodeProto>& nodes,
                              Scope& scope) {
  for (int index = 0; index < nodes.size(); ++index) {
    if (is_too_large_ && scope.outer != nullptr) throw AlreadyReported{};
    ImportNode(nodes[index], static_cast<std::size_t>(index), scope);
  }
}

void GraphImport::ImportNode(const ::onnx::NodeProto& proto, std::size_t index, Scope& scope) {
  std::optional<Node> node;
  try {
    node.emplace(proto, index, scope);
    CountNode(*node);
    const auto is_failed = [&](const std::string& name) { return scope.IsFailed(name); };
    if (std::none_of(proto.input().begin(), proto.input().end(), is_failed)) return Convert(*node);
    if (!IsKnown(proto)) RefuseOperator(*node);
  } catch (const DiagnosticException& exception) {
    const Diagnostic& diagnostic = exception.GetDiagnostic();
    failures_.push_back(node ? DescribeFailure(*node, diagnostic) : diagnostic);
  } catch (const AlreadyReported&) {
  }
  RememberOutputs(proto, scope);
}

void GraphImport::CountNode(Node& node) {
  if (is_too_large_) return;
  num_name_bytes_ += node.GetName().size() * (node.GetNumInputs() + 1);
  if (num_name_bytes_ <= kMaxNameBytes) return;
  is_too_large_ = true;
  node.RefuseAsInvalid(
      "the names of layers, which begin with those of the nodes around them, may amount to " +
      std::to_string(num_name_bytes_) + " bytes with it; they may have at most " +
      std::to_string(kMaxNameBytes));
}

void GraphImport::CountInlined(Node& node, std::size_t size) {
  if (is_too_large_) throw AlreadyReported{};  // all that follows would say the same
  num_inlined_ += size;
  if (num_inlined_ <= kMaxInlined) return;
  is_too_large_ = true;
  node.RefuseAsInvalid("nodes that become many layers have more than " +
                       std::to_string(kMaxInlined) +
                       " of them together; export the model with shorter sequences");
}

void GraphImport::Convert(Node& node) {
  if (IsOfRun()) followed_.Look(node);
  const bool is_left = IsOfRun() && FollowedExtents::IsPartOfTable(node);
  if (is_left || !FoldNode(node)) ConvertToLayers(node);
  if (IsOfRun()) followed_.LookAtResults(node);
}

void GraphImport::ConvertToLayers(Node& node) {
  const ::onnx::NodeProto& proto = node.GetProto();
  const ConvertFunction convert = FindConverter(NormaliseDomain(proto.domain()), proto.op_type());
  if (convert == nullptr) RefuseOperator(node);
  ConvertByTable(node, convert);
  if (node.HasReadRecalculated()) followed_.End();
}

void GraphImport::RefuseOperator(const Node& node) const {
  const ::onnx::NodeProto& proto = node.GetProto();
  const std::string domain = NormaliseDomain(proto.domain());
  if (reported_.count({domain, proto.op_type()}) > 0) throw AlreadyReported{};
  const RefusedOperator* refused = FindRefused(domain, proto.op_type());
  const std::string place = "domain " + (domain.empty() ? "ai.onnx" : domain) + ", version " +
                            std::to_string(node.GetOpset());
  const std::string reason = refused != nullptr ? std::string("; it ") + refused->reason : "";
  ThrowError(refused != nullptr ? refused->code : DiagnosticCode::kUnsupportedOperator,
             {SubjectKind::kLayer, node.GetName()},
             "node " + node.GetName() + " has the operator " + proto.op_type() +
                 ", which cannot be imported",
             place + reason, "export the model without it");
}

const Value* GraphImport::FindKnown(const TensorPlace& place) const {
  if (stages_ == nullptr) return nullptr;
  const auto found = stages_->known.find(place);
  return found != stages_->known.end() ? &found->second : nullptr;
}

std::shared_ptr<const void> GraphImport::ShareConstant(const std::string& name,
                                                       std::shared_ptr<const void> data,
                                                       std::uint64_t size_bytes) {
  return IsOfRun() ? stages_->memo.Share(name, std::move(data), size_bytes) : data;
}

std::shared_ptr<const void> GraphImport::ConvertOnce(
    const std::string& name, const std::vector<std::shared_ptr<const void>>& sources,
    const std::function<std::shared_ptr<const void>()>& make) {
  return IsOfRun() ? stages_->memo.Convert(name, sources, make) : make();
}

void GraphImport::ThrowFailures() {
  if (failures_.empty()) return;
  const DiagnosticCode code = failures_.front().code;
  const std::string count = Count(failures_.size(), "node");
  if (IsOfRun()) {
    ThrowError(DiagnosticCode::kStageFailed, {SubjectKind::kModel, path_},
               path_ + " cannot go on with a run",
               count + " cannot be converted for its shapes and values",
               "see what follows for each", std::move(failures_));
  }
  ThrowError(code, {SubjectKind::kModel, path_}, path_ + " cannot be imported",
             count + " cannot be converted", "see what follows for each", std::move(failures_));
}

}  // namespace backplane::onnx
