#include "stages/stage_builder.hpp"

#include "graph/graph_import.hpp"
#include "operators/stage_operator.hpp"
#include "stages/stage_operations.hpp"
#include "stages/staged_graph.hpp"

#include <backplane/host/isolation.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace backplane::onnx {
namespace {

/// What a network is made for.
enum class StageTime { kFixed, kImport, kRun };

// For each node the tensors that none behind it reads. Those that the graph gives are read at its
// end.
std::vector<std::vector<std::string>> FindLastRead(const ::onnx::GraphProto& graph,
                                                   const NodeReads& reads) {
  std::set<std::string> seen;
  for (const auto& output : graph.output()) seen.insert(output.name());
  std::vector<std::vector<std::string>> last_read(reads.size());
  for (std::size_t index = last_read.size(); index-- > 0;) {
    for (const std::string& name : reads[index].all) {
      if (seen.insert(name).second) last_read[index].push_back(name);
    }
  }
  return last_read;
}

class StageBuilder {
 public:
  /// A stage of a run.
  StageBuilder(std::shared_ptr<const StagedGraph> graph, StageState state)
      : StageBuilder(std::move(graph), std::move(state), StageTime::kRun, {}) {}

  /// A network that is imported. With StageTime::kFixed no node may want the values of a run.
  StageBuilder(std::shared_ptr<const StagedGraph> graph, StageState state, StageTime time,
               const OperatorNames& reported)
      : graph_(std::move(graph)),
        state_(std::move(state)),
        network_(INetwork::Create(graph_->name)),
        knowledge_{state_.known, graph_->model->memo, time == StageTime::kRun},
        import_(graph_->model->path, reported, time != StageTime::kFixed ? &knowledge_ : nullptr),
        scope_(import_, *network_, graph_->prefix),
        next_id_(state_.next_id) {
    scope_.versions = graph_->versions;
    scope_.owner = graph_->model->model;
    scope_.names_read = graph_->names_read;
    for (const auto& [name, value] : state_.values) scope_.values.Add(name, value);
  }

  NetworkStage Build() {
    for (const int index : state_.nodes) {
      WorkLimitScope::RequireTime();
      Visit(index);
    }
    if (auto values_first = WaitForValues()) return std::move(*values_first);
    import_.ThrowFailures();
    if (left_.empty()) {
      for (const auto& output : graph_->graph->output()) {
        stage_.results.push_back(Publish(output.name()));
      }
    } else {
      stage_.next = MakeNext();
    }
    if (!stage_.network_outputs.empty()) stage_.network = std::move(network_);
    stage_.network_inputs = scope_.values.GetInputsFromOutside();
    import_.GetFollowed().Tell(stage_);
    if (stage_.follows_extents) FindRecalculation(graph_, scope_.values, stage_);
    return std::move(stage_);
  }

  std::vector<StageValue> BuildConstants(const std::vector<std::string>& names) {
    for (const int index : state_.nodes) Visit(index);
    import_.ThrowFailures();
    std::vector<StageValue> constants;
    for (const std::string& name : names) {
      const Value& value = Require(name);
      constants.push_back(MakeStageTensor(value.info, value.data));
    }
    return constants;
  }

  WholeNetwork BuildWhole(bool has_reported) {
    for (const OpenBinding& input : graph_->inputs) {
      Value value;
      value.info = input.info;
      value.slot = network_->AddInputLayer(input.info, input.name);
      scope_.values.Add(input.name, std::move(value));
    }
    const std::vector<std::vector<std::string>> last_read =
        FindLastRead(*graph_->graph, *graph_->node_reads);
    for (const int index : state_.nodes) {
      Visit(index);
      for (const std::string& name : last_read[static_cast<std::size_t>(index)]) {
        scope_.values.Release(name);
      }
    }
    import_.ThrowFailures();
    WholeNetwork whole;
    if (has_reported || !left_.empty() || !stage_.steps.empty()) return whole;
    for (const auto& output : graph_->graph->output()) {
      whole.outputs.push_back(Require(output.name()).info);
      network_->AddOutputLayer(scope_.values.GetSlot(output.name()), output.name());
    }
    whole.network = std::move(network_);
    return whole;
  }

 private:
  void Visit(int index) {
    const ::onnx::NodeProto& proto = graph_->graph->node(index);
    const std::set<std::string>& read = GetRead(index);
    const auto is_later = [&](const std::string& name) { return later_.count(name) > 0; };
    if (std::any_of(read.begin(), read.end(), is_later)) return Leave(index);
    try {
      const auto kind = FindOperation(proto, read);
      const auto is_failed = [&](const std::string& name) { return scope_.IsFailed(name); };
      if (kind && std::any_of(read.begin(), read.end(), is_failed)) {
        return scope_.failed.insert(proto.output().begin(), proto.output().end());
      }
      if (kind) return AddOperation(*kind, {*graph_, scope_, proto, index, read});
      import_.ImportNode(proto, static_cast<std::size_t>(index), scope_);
    } catch (const ValueWanted& wanted) {
      Want(wanted);
      Leave(index);
    }
  }

  /// The names that a node and the graphs within it read.
  const std::set<std::string>& GetRead(int index) const {
    return (*graph_->node_reads)[static_cast<std::size_t>(index)].all;
  }

  void Leave(int index) {
    left_.push_back(index);
    for (const std::string& name : graph_->graph->node(index).output()) {
      if (!name.empty()) later_.insert(name);
    }
  }

  bool IsConstant(const std::string& name) const {
    const Value* const value = scope_.values.Find(name);
    return value != nullptr && value->is_constant;
  }

  /// The kind of a node that goes on between stages. Where all that it reads is constant, a choice
  /// is made now, and so is that of a branch, unless what is in it goes on between stages.
  std::optional<StageOperatorKind> FindOperation(const ::onnx::NodeProto& proto,
                                                 const std::set<std::string>& read) const {
    const auto kind = FindStageOperator(NormaliseDomain(proto.domain()), proto.op_type());
    if (!kind || !import_.IsStaged()) return {};
    const auto is_constant = [&](const std::string& name) {
      return name.empty() || IsConstant(name);
    };
    const bool is_made_now =
        *kind == StageOperatorKind::kChoice
            ? std::all_of(read.begin(), read.end(), is_constant)
            : proto.op_type() == "If" && IsConstant(proto.input(0)) && !HasOperations(proto);
    return is_made_now ? std::nullopt : kind;
  }

  void AddOperation(StageOperatorKind kind, const OperationSource& source) {
    Operation operation = MakeOperation(kind, source);
    StageStep step;
    step.operation = std::move(operation.operation);
    for (const std::string& name : operation.inputs) step.inputs.push_back(Publish(name));
    for (const std::string& name : source.proto.output()) {
      const StageValueId id = next_id_++;
      step.outputs.push_back(id);
      made_.push_back(name);
      if (name.empty()) continue;
      later_.insert(name);
      published_[name] = id;
    }
    stage_.steps.push_back(std::move(step));
  }

  /// Errors: kInvalidModel for a tensor that nothing makes.
  const Value& Require(const std::string& name) {
    const Value* const value = scope_.values.Find(name);
    if (value == nullptr) RefuseMissing(name, *graph_);
    return *value;
  }

  /// The value of a tensor outlives the stage.
  StageValueId Publish(const std::string& name) {
    const auto known = published_.find(name);
    if (known != published_.end()) return known->second;
    const Value& value = Require(name);
    if (value.outside) return *value.outside;
    const StageValueId id = AddOutput(scope_.values.GetSlot(name), name);
    published_[name] = id;
    return id;
  }

  StageValueId AddOutput(OutputSlot slot, const std::string& name) {
    network_->AddOutputLayer(slot, name);
    stage_.network_outputs.push_back(next_id_);
    return next_id_++;
  }

  void Want(const ValueWanted& wanted) {
    const auto is_same = [&](const WantedName& other) { return other.place == wanted.place; };
    if (std::any_of(wanted_.begin(), wanted_.end(), is_same)) return;
    WantedName name;
    name.place = wanted.place;
    name.info = wanted.value.info;
    name.is_available = wanted.value.outside.has_value();
    const auto& [path, own_name] = wanted.place;
    if (name.is_available) {
      name.id = *wanted.value.outside;
    } else if (path.empty()) {
      name.id = Publish(own_name);
    } else {
      name.id = AddOutput(*wanted.value.slot, path + own_name);
    }
    wanted_.push_back(std::move(name));
  }

  /// What the application or an earlier stage has given is waited for without a network that would
  /// have to be run twice.
  std::optional<NetworkStage> WaitForValues() {
    std::vector<WantedName> available;
    for (const WantedName& wanted : wanted_) {
      if (wanted.is_available) available.push_back(wanted);
    }
    if (available.empty()) return {};
    NetworkStage stage;
    for (const WantedName& wanted : available) stage.wanted.push_back(wanted.id);
    stage.next = MakeNextStage(graph_, std::move(state_), {}, std::move(available));
    return stage;
  }

  std::shared_ptr<const IStageMaker> MakeNext() {
    StageState next;
    next.nodes = left_;
    next.known = state_.known;
    std::set<std::string> needed;
    for (const int index : left_) needed.insert(GetRead(index).begin(), GetRead(index).end());
    for (const auto& output : graph_->graph->output()) needed.insert(output.name());
    for (const std::string& name : needed) Keep(name, next);
    for (const WantedName& wanted : wanted_) stage_.wanted.push_back(wanted.id);
    next.next_id = next_id_;
    return MakeNextStage(graph_, std::move(next), made_, wanted_, published_);
  }

  void Keep(const std::string& name, StageState& next) {
    const Value* const found = scope_.values.Find(name);
    if (found == nullptr) return;  // made later, or within a node
    Value value = *found;
    value.slot.reset();
    if (!value.is_constant) value.outside = Publish(name);
    next.values.emplace(name, std::move(value));
  }

  const std::shared_ptr<const StagedGraph> graph_;
  StageState state_;
  std::unique_ptr<INetwork> network_;
  const StageKnowledge knowledge_;
  GraphImport import_;
  Scope scope_;
  NetworkStage stage_;
  StageValueId next_id_;
  std::set<std::string> later_;    // tensors that a later stage knows
  std::vector<int> left_;          // nodes for later stages
  std::vector<std::string> made_;  // by the steps, in their order; "" is not named
  std::vector<WantedName> wanted_;
  std::map<std::string, StageValueId> published_;
};

StageState MakeFirstState(const StagedGraph& graph) {
  StageState state;
  state.values = graph.constants;
  state.nodes.resize(static_cast<std::size_t>(graph.graph->node_size()));
  std::iota(state.nodes.begin(), state.nodes.end(), 0);
  return state;
}

}  // namespace

NetworkStage BuildStage(const std::shared_ptr<const StagedGraph>& graph, StageState state) {
  return StageBuilder(graph, std::move(state)).Build();
}

NetworkStage BuildFirstStage(const std::shared_ptr<const StagedGraph>& graph,
                             const std::vector<StageValue>& inputs) {
  StageState state = MakeFirstState(*graph);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Value value;
    value.info = inputs[i].info;
    value.kind = inputs[i].kind;
    value.outside = state.next_id++;
    state.values[graph->inputs[i].name] = std::move(value);
  }
  return BuildStage(graph, std::move(state));
}

std::vector<StageValue> BuildConstants(const std::shared_ptr<const StagedGraph>& graph,
                                       StageState state, const std::vector<std::string>& names) {
  return StageBuilder(graph, std::move(state)).BuildConstants(names);
}

WholeNetwork BuildWhole(const std::shared_ptr<const StagedGraph>& graph, bool must_be_fixed,
                        const OperatorNames& reported) {
  const StageTime time = must_be_fixed ? StageTime::kFixed : StageTime::kImport;
  return StageBuilder(graph, MakeFirstState(*graph), time, reported).BuildWhole(!reported.empty());
}

}  // namespace backplane::onnx
