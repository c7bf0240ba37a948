#include "stages/stage_operations.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "stages/choice_operation.hpp"
#include "stages/control_operation.hpp"
#include "stages/sequence_operation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace backplane::onnx {
namespace {

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
