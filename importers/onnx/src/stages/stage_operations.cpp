#include "stages/stage_operations.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "folding/fold_node.hpp"
#include "graph/graph_import.hpp"
#include "nodes/node.hpp"
#include "stages/unbound_operation.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace backplane::onnx {
namespace {

/// Evaluates a node as it is where its inputs are constants.
class Choice final : public IStageOperation {
 public:
  explicit Choice(const OperationSource& source)
      : model_(source.graph.model),
        proto_(source.proto),
        versions_(source.graph.versions),
        prefix_(source.graph.prefix),
        index_(static_cast<std::size_t>(source.index)),
        description_(Node(source.proto, index_, source.scope).GetDescription()) {}

  const std::string& GetDescription() const override { return description_; }

  std::vector<StageValue> Run(const std::vector<StageValue>& inputs,
                              IStageRunner& /*runner*/) const override {
    const auto network = INetwork::Create(description_);
    GraphImport import(model_->path);
    import.GetBudget() = MemoryBudget::MakeUnbounded();
    Scope scope(import, *network, prefix_);
    scope.versions = versions_;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string& name = proto_.input(static_cast<int>(i));
      if (name.empty() || scope.values.Find(name) != nullptr) continue;
      scope.values.Add(name, MakeConstant(inputs[i].info, inputs[i].data));
    }
    scope.names_read =
        std::make_shared<const NamesRead>(proto_.output().begin(), proto_.output().end());
    Node node(proto_, index_, scope);
    if (!FoldNode(node)) RefuseInputs(inputs);
    std::vector<StageValue> results;
    for (const std::string& name : proto_.output()) {
      const Value* const value = name.empty() ? nullptr : scope.values.Find(name);
      results.push_back(value ? MakeStageTensor(value->info, value->data) : StageValue());
    }
    return results;
  }

 private:
  [[noreturn]] void RefuseInputs(const std::vector<StageValue>& inputs) const {
    std::string text;
    for (const StageValue& input : inputs) {
      if (input.kind != StageValue::Kind::kTensor) continue;
      text += (text.empty() ? "" : ", ") + ToText(input.info.shape) + " " +
              GetDataTypeName(input.info.data_type);
    }
    ThrowError(DiagnosticCode::kStageFailed, {SubjectKind::kLayer, description_},
               description_ + " cannot be run",
               "found " + text + "; expected types and shapes that " + proto_.op_type() +
                   " takes together, and memory for the result",
               "give other data, or correct the model");
  }

  const std::shared_ptr<const StagedModel> model_;
  const ::onnx::NodeProto& proto_;  // of the model
  const std::shared_ptr<const NodeVersions> versions_;
  const std::string prefix_;
  const std::size_t index_;
  const std::string description_;
};

// Errors: DiagnosticException with kInvalidModel.
UnboundOperation MakeChoice(const OperationSource& source) {
  return {std::make_shared<Choice>(source),
          {source.proto.input().begin(), source.proto.input().end()}};
}

/// Puts constants, and nothing for inputs that are absent, between the values of a run.
class WithConstants final : public IStageOperation {
 public:
  using Inputs = std::vector<std::optional<StageValue>>;  // empty: of the run

  WithConstants(std::shared_ptr<const IStageOperation> operation, Inputs inputs)
      : operation_(std::move(operation)), inputs_(std::move(inputs)) {}

  const std::string& GetDescription() const override { return operation_->GetDescription(); }

  std::vector<StageValue> Run(const std::vector<StageValue>& inputs,
                              IStageRunner& runner) const override {
    std::vector<StageValue> all;
    auto next = inputs.begin();
    for (const std::optional<StageValue>& input : inputs_) all.push_back(input ? *input : *next++);
    return operation_->Run(all, runner);
  }

 private:
  const std::shared_ptr<const IStageOperation> operation_;
  const Inputs inputs_;
};

}  // namespace

Operation MakeOperation(StageOperatorKind kind, const OperationSource& source) {
  UnboundOperation unbound;
  switch (kind) {
    case StageOperatorKind::kChoice:
      unbound = MakeChoice(source);
      break;
    case StageOperatorKind::kControl:
      unbound = MakeControl(source);
      break;
    case StageOperatorKind::kSequence:
      unbound = MakeSequence(source);
      break;
  }
  Operation result;
  WithConstants::Inputs inputs;
  for (const std::string& name : unbound.inputs) {
    if (name.empty()) {
      inputs.emplace_back(StageValue());
      continue;
    }
    const Value* const value = source.scope.values.Find(name);
    if (value == nullptr) RefuseMissing(name, source.graph);
    if (value->is_constant) {
      inputs.emplace_back(MakeStageTensor(value->info, value->data));
    } else {
      inputs.emplace_back();
      result.inputs.push_back(name);
    }
  }
  result.operation =
      std::make_shared<WithConstants>(std::move(unbound.operation), std::move(inputs));
  return result;
}

bool HasOperations(const ::onnx::NodeProto& proto) {
  const auto is_operation = [](const ::onnx::NodeProto& node) {
    return FindStageOperator(NormaliseDomain(node.domain()), node.op_type()) || HasOperations(node);
  };
  return std::any_of(proto.attribute().begin(), proto.attribute().end(),
                     [&](const auto& attribute) {
                       const auto& nodes = attribute.g().node();
                       return std::any_of(nodes.begin(), nodes.end(), is_operation);
                     });
}

void RefuseMissing(const std::string& name, const StagedGraph& graph) {
  ThrowError(DiagnosticCode::kInvalidModel, {SubjectKind::kTensor, name},
             "the tensor " + name + " of " + graph.name + " does not exist",
             "no node, input or initializer makes it", "correct the model and export it again");
}

}  // namespace backplane::onnx
