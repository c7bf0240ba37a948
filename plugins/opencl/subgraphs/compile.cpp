#include "subgraphs/compile.hpp"

#include "cpu_layers/run_end.hpp"
#include "identity.hpp"
#include "layers/plan_layer.hpp"
#include "subgraphs/compiled_subgraph.hpp"
#include "subgraphs/group_step.hpp"
#include "subgraphs/tensor_parts.hpp"
#include "subgraphs/tensor_places.hpp"

#include <backplane/api/subgraph_parts.hpp>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace opencl {
namespace {

using cpu_layers::RunEnd;

/// Bytes that a step copies, in place of a kernel.
struct CopiedBytes {
  std::uint64_t size_bytes = 0;  // 0: it has a kernel
  std::uint64_t from_offset_bytes = 0;
  std::uint64_t to_offset_bytes = 0;
};

class Compiler {
 public:
  Compiler(const Graph& graph, const Device& device, SharedContents& contents)
      : graph_(graph), device_(device), contents_(contents), places_(graph) {}

  WorkPlan Compile(const RunEnd& end) {
    for (const LayerGroup& group : MakeGroups(graph_)) {
      end.RequireTime();
      AddGroup(group);
    }
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      for (const TensorNumber tensor : steps_[step].inputs) places_.Use(tensor, step);
      for (const TensorNumber tensor : steps_[step].outputs) places_.Use(tensor, step);
    }
    places_.PlaceAll(device_.alignment_bytes, plan_);
    for (std::size_t step = 0; step < steps_.size(); ++step) AddStep(step);
    return std::move(plan_);
  }

 private:
  void AddGroup(const LayerGroup& group) {
    const LayerNumber number = group.layers[0];
    const GraphLayer& layer = graph_.layers[number];
    if (IsView(layer.view->layer_type)) {
      if (places_.Share(layer.inputs[0], layer.outputs[0])) return;
      AddCopy(number, layer.inputs[0], layer.outputs[0],
              {layer.view->output_infos[0]->GetSizeBytes()});
      return;
    }
    const std::vector<TensorPart> parts = FindParts(graph_, number);
    for (const TensorPart& part : parts) AddPart(number, part);
    if (!parts.empty()) return;
    steps_.push_back(MakeGroupStep(graph_, group, device_.limits, &contents_));
    copied_bytes_.emplace_back();
  }

  void AddPart(LayerNumber number, const TensorPart& part) {
    const std::uint64_t size_bytes = graph_.tensors[part.part].info->GetSizeBytes();
    if (size_bytes == 0 || places_.PutInto(part.part, part.whole, part.offset_bytes)) return;
    if (part.is_output) {
      AddCopy(number, part.whole, part.part, {size_bytes, part.offset_bytes, 0});
    } else {
      AddCopy(number, part.part, part.whole, {size_bytes, 0, part.offset_bytes});
    }
  }

  void AddCopy(LayerNumber number, TensorNumber from, TensorNumber to, const CopiedBytes& bytes) {
    steps_.push_back({graph_.layers[number].view->name, {}, {from}, {to}});
    copied_bytes_.push_back(bytes);
  }

  void AddStep(std::size_t number) {
    GroupStep& made = steps_[number];
    Step step;
    step.name = std::move(made.name);
    step.plan = std::move(made.plan);
    for (const TensorNumber tensor : made.inputs) step.inputs.push_back(places_.Find(tensor));
    for (const TensorNumber tensor : made.outputs) step.outputs.push_back(places_.Find(tensor));
    const CopiedBytes& copied = copied_bytes_[number];
    if (copied.size_bytes != 0) {
      step.copied_bytes = copied.size_bytes;
      step.inputs[0].offset_bytes += copied.from_offset_bytes;
      step.outputs[0].offset_bytes += copied.to_offset_bytes;
      KeepContent(step.inputs[0]);
    }
    for (const Launch& launch : step.plan.launches) {
      for (const Argument& argument : launch.arguments) {
        const auto* buffer = std::get_if<BufferArgument>(&argument);
        const bool is_input = buffer != nullptr && buffer->kind == BufferArgument::Kind::kInput;
        if (is_input) KeepContent(step.inputs.at(buffer->index));
      }
    }
    plan_.steps.push_back(std::move(step));
  }

  /// Constants that no kernel reads as they are were packed.
  void KeepContent(const StepTensor& tensor) {
    if (tensor.kind != StepTensor::Kind::kConstant) return;
    ConstantData& constant = plan_.constants[tensor.index];
    if (constant.owner != nullptr) return;
    const ConstTensor& content = places_.GetConstant(tensor.index);
    const auto* first = static_cast<const unsigned char*>(content.data);
    const std::uint64_t size_bytes = content.info.GetSizeBytes();
    constant.owner = contents_.Find(content, Text(size_bytes, " bytes as they are"),
                                    [&] { return Bytes(first, first + size_bytes); });
    constant.data = constant.owner->data();
    constant.size_bytes = size_bytes;
  }

  const Graph& graph_;
  const Device& device_;
  SharedContents& contents_;
  TensorPlaces places_;
  std::vector<GroupStep> steps_;
  std::vector<CopiedBytes> copied_bytes_;  // for each step
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

using ProgramText = std::pair<std::string, std::string>;  // with its options

std::set<ProgramText> FindUnbuilt(const WorkPlan& plan, Programs& programs) {
  std::set<ProgramText> unbuilt;
  for (const Step& step : plan.steps) {
    for (const Launch& launch : step.plan.launches) {
      if (programs.Has(launch.source, launch.options)) continue;
      unbuilt.emplace(launch.source, launch.options);
    }
  }
  return unbuilt;
}

/// Whether to take programs from the cache takes less time than to build them: its key is a digest
/// of all constants.
bool SavesTime(std::size_t num_programs, const Graph& graph) {
  constexpr double kSecondsOfBuild = 0.02;  // the least that was measured with PoCL
  constexpr double kSecondsOfDigestedByte = 1e-9;
  double constant_bytes = 0.0;
  for (const GraphTensor& tensor : graph.tensors) {
    if (tensor.constant != nullptr) {
      constant_bytes += static_cast<double>(tensor.info->GetSizeBytes());
    }
  }
  return static_cast<double>(num_programs) * kSecondsOfBuild >
         constant_bytes * kSecondsOfDigestedByte;
}

/// Compiles a graph, and builds its programs, so that loading finds them built.
/// Null: without `cache`, they are not kept with the network.
/// Errors: std::runtime_error with the compiler's log; OpenClError; RunEnd::RequireTime.
WorkPlan Compile(const Graph& graph, const ModelContext& model, ICompiledSubgraphCache* cache,
                 const RunEnd& end) {
  DeviceContext& device = *model.device;
  WorkPlan plan = Compiler(graph, device.GetDevice(), device.GetContents()).Compile(end);
  const std::set<ProgramText> unbuilt = FindUnbuilt(plan, device.GetPrograms());
  if (cache != nullptr && !SavesTime(unbuilt.size(), graph)) cache = nullptr;
  for (const auto& [source, options] : unbuilt) {
    end.RequireTime();
    device.GetPrograms().Get(source, options, model.options.kernel_cache, cache);
  }
  return plan;
}

}  // namespace

std::shared_ptr<const IPreCompiledObject> CompiledSubgraph::Resize(const ResizeArgs& args) const {
  if (source_ == nullptr) return nullptr;
  const auto model = GetModelContext(args);
  const auto resized = source_->Resize(args);
  if (resized == nullptr || !HasKernels(resized->Get(), *model)) return nullptr;
  return std::make_shared<CompiledSubgraph>(Compile(resized->Get(), *model, nullptr, RunEnd(args)),
                                            nullptr);
}

OptimizationViews CompileSubgraph(const OptimizeSubgraphArgs& args, const ModelContext& model) {
  OptimizationViews views;
  const SubgraphView part = MakeSubgraphPart(args, args.subgraph->layers);
  const Graph graph = ReadGraph(args, part);
  if (HasKernels(graph, model)) {
    auto source = args.is_open ? std::make_shared<const KeptGraph>(args, graph) : nullptr;
    auto compiled = std::make_shared<CompiledSubgraph>(
        Compile(graph, model, args.cache, RunEnd(args)), std::move(source));
    const Status status = ReplaceByPreCompiled(args, part, std::move(compiled), kId, &views);
    if (status == Status::kSuccess) return views;
  }
  views.untouched.push_back(*args.subgraph);
  return views;
}

}  // namespace opencl
}  // namespace backplane
