#include "subgraphs/compile.hpp"

#include "identity.hpp"
#include "layers/plan_layer.hpp"
#include "subgraphs/compiled_subgraph.hpp"
#include "subgraphs/group_step.hpp"
#include "subgraphs/place_intermediates.hpp"

#include <backplane/api/subgraph_parts.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

/// Where tensors lie, and for how long what lies between steps is needed. Tensors of a view share a
/// place.
class Places {
 public:
  explicit Places(const Graph& graph) : numbers_(graph.tensors.size()) {
    for (TensorNumber tensor = 0; tensor < graph.tensors.size(); ++tensor) {
      const GraphTensor& in_graph = graph.tensors[tensor];
      Place place;
      place.memory.size_bytes = in_graph.info->GetSizeBytes();
      place.memory.first_step = ~std::size_t{0};
      if (in_graph.constant != nullptr) place.fixed = KeepConstant(*in_graph.constant);
      if (in_graph.as_input) place.fixed = {StepTensor::Kind::kInput, *in_graph.as_input};
      if (in_graph.as_output) place.fixed = {StepTensor::Kind::kOutput, *in_graph.as_output};
      numbers_[tensor] = tensor;
      places_.push_back(std::move(place));
    }
  }

  /// Whether the output of a view can lie where its input does; then it does. In the order of the
  /// layers.
  bool Share(TensorNumber input, TensorNumber output) {
    Place& from = places_[numbers_[input]];
    const Place& to = places_[numbers_[output]];
    if (to.fixed && from.fixed) return false;
    if (to.fixed) from.fixed = to.fixed;
    numbers_[output] = numbers_[input];
    return true;
  }

  void Use(TensorNumber tensor, std::size_t step) {
    UsedMemory& memory = places_[numbers_[tensor]].memory;
    memory.first_step = std::min(memory.first_step, step);
    memory.last_step = std::max(memory.last_step, step);
  }

  /// Once all uses are known.
  void PlaceAll(std::uint64_t alignment_bytes, WorkPlan& plan) {
    std::vector<UsedMemory> memories;
    for (Place& place : places_) {
      if (place.fixed || place.memory.first_step > place.memory.last_step) continue;
      place.fixed = {StepTensor::Kind::kIntermediate, static_cast<std::uint32_t>(memories.size())};
      memories.push_back(place.memory);
    }
    plan.intermediates = PlaceIntermediates(memories, alignment_bytes);
    for (const auto& content : contents_) {
      plan.constants.push_back({content.data(), content.size()});
    }
  }

  StepTensor Find(TensorNumber tensor) const { return *places_[numbers_[tensor]].fixed; }

  std::vector<std::vector<unsigned char>> TakeContents() { return std::move(contents_); }

 private:
  struct Place {
    std::optional<StepTensor> fixed;
    UsedMemory memory;
  };

  StepTensor KeepConstant(const ConstTensor& constant) {
    const auto* first = static_cast<const unsigned char*>(constant.data);
    contents_.emplace_back(first, first + constant.info.GetSizeBytes());
    return {StepTensor::Kind::kConstant, static_cast<std::uint32_t>(contents_.size() - 1)};
  }

  std::vector<std::uint32_t> numbers_;  // of the place of each tensor
  std::vector<Place> places_;
  std::vector<std::vector<unsigned char>> contents_;
};

class Compiler {
 public:
  Compiler(const Graph& graph, const Device& device)
      : graph_(graph), device_(device), places_(graph) {}

  std::shared_ptr<const CompiledSubgraph> Compile() {
    for (const LayerGroup& group : MakeGroups(graph_)) AddGroup(group);
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (const TensorNumber tensor : steps_[step].inputs) places_.Use(tensor, step);
      for (const TensorNumber tensor : steps_[step].outputs) places_.Use(tensor, step);
    }
    places_.PlaceAll(device_.alignment_bytes, plan_);
    for (std::size_t step = 0; step < steps_.size(); ++step) AddStep(step);
    return std::make_shared<CompiledSubgraph>(std::move(plan_), places_.TakeContents());
  }

 private:
  void AddGroup(const LayerGroup& group) {
    const GraphLayer& layer = graph_.layers[group.layers[0]];
    if (!IsView(layer.view->layer_type)) {
      steps_.push_back(MakeGroupStep(graph_, group, device_.limits));
      copied_bytes_.push_back(0);
    } else if (!places_.Share(layer.inputs[0], layer.outputs[0])) {
      steps_.push_back({layer.view->name, {}, layer.inputs, layer.outputs});
      copied_bytes_.push_back(layer.view->output_infos[0]->GetSizeBytes());
    }
  }

  void AddStep(std::size_t number) {
    GroupStep& made = steps_[number];
    Step step;
    step.name = std::move(made.name);
    step.plan = std::move(made.plan);
    for (const TensorNumber tensor : made.inputs) step.inputs.push_back(places_.Find(tensor));
    for (const TensorNumber tensor : made.outputs) step.outputs.push_back(places_.Find(tensor));
    step.copied_bytes = copied_bytes_[number];
    plan_.steps.push_back(std::move(step));
  }

  const Graph& graph_;
  const Device& device_;
  Places places_;
  std::vector<GroupStep> steps_;
  std::vector<std::uint64_t> copied_bytes_;  // for each step
  WorkPlan plan_;
};

/// Layers that other backends compiled, and the core's own, stay as they are.
bool HasKernels(const Graph& graph, const ModelContext& model) {
  for (LayerNumber number = 0; number < graph.layers.size(); ++number) {
    PlannedLayer layer;
    static_cast<Layer&>(layer) = graph.GetLayer(number);
    if (IsView(layer.type)) continue;
    if (!FindRefusalOnDevice(layer, model).empty()) return false;
  }
  return true;
}

}  // namespace

OptimizationViews CompileSubgraph(const OptimizeSubgraphArgs& args, const ModelContext& model) {
  OptimizationViews views;
  const SubgraphView part = MakeSubgraphPart(args, args.subgraph->layers);
  const Graph graph = ReadGraph(args, part);
  if (HasKernels(graph, model)) {
    auto compiled = Compiler(graph, model.device->GetDevice()).Compile();
    const Status status = ReplaceByPreCompiled(args, part, std::move(compiled), kId, &views);
    if (status == Status::kSuccess) return views;
  }
  views.untouched.push_back(*args.subgraph);
  return views;
}

}  // namespace opencl
}  // namespace backplane
