#include "stages/choice_operation.hpp"

#include "diagnostics/throw_diagnostic.hpp"
#include "folding/fold_node.hpp"
#include "graph/graph_import.hpp"
#include "nodes/node.hpp"
#include "tensors/shape.hpp"

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
    Scope scope(import, *network, prefix_);
    scope.versions = versions_;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::string& name = proto_.input(static_cast<int>(i));
      if (name.empty() || scope.values.Find(name) != nullptr) continue;
      scope.values.Add(name, MakeConstant(inputs[i].info, inputs[i].data));
    }
    scope.names_read.insert(proto_.output().begin(), proto_.output().end());
    Node node(proto_, index_, scope);
    MemoryBudget budget = MemoryBudget::MakeUnbounded();
    if (!FoldNode(node, budget)) RefuseInputs(inputs);
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

}  // namespace

UnboundOperation MakeChoice(const OperationSource& source) {
  return {std::make_shared<Choice>(source),
          {source.proto.input().begin(), source.proto.input().end()}};
}

}  // namespace backplane::onnx
