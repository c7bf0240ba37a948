#include "loading/network_parts.hpp"

#include "execution/core_steps.hpp"
#include "graph/bridged_network.hpp"
#include "graph/layer_tensors.hpp"
#include "graph/shown_constants.hpp"
#include "graph/tensor_numbers.hpp"
#include "loading/loaded_backend.hpp"
#include "placement/kind_arcs.hpp"
#include "placement/kind_table.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/host/thread_places.hpp>

#include <set>
#include <utility>

namespace backplane {
namespace {

[[noreturn]] void ThrowNotCreated(const LoadedBackend& backend, const Layer& layer,
                                  const Diagnostic* thrown) {
  Diagnostic diagnostic{DiagnosticCode::kWorkloadNotCreated};
  diagnostic.subject = {SubjectKind::kLayer, GetDisplayName(layer.name, layer.id)};
  diagnostic.what = "backend \"" + backend.backend->id + "\" made no workload for " +
                    DescribeLayer(layer) + ", which it said it supports";
  if (thrown != nullptr) {
    diagnostic.why = thrown->why;
    diagnostic.causes = {*thrown};
  } else {
    diagnostic.why = "CreateWorkload returned null; expected an IWorkload";
  }
  const bool is_memory = thrown != nullptr && thrown->code == DiagnosticCode::kOutOfMemory;
  diagnostic.fix = is_memory
                       ? thrown->fix
                       : "report this to the vendor of the backend, or prefer another backend";
  throw DiagnosticException(std::move(diagnostic));
}

// The ids of the factories of a layer's tensors; "" for constants.
struct LayerFactories {
  LayerFactories(const BridgedNetwork& network, const TensorNumbers& numbers,
                 const KindTable& table, const Layer& layer) {
    const auto get_id = [&](OutputSlot slot) {
      const KindIndex kind = network.kind_of_tensor[numbers.Get(slot)];
      return kind == kNoKind ? "" : table.kinds[kind].id.c_str();
    };
    for (const OutputSlot input : layer.inputs) inputs.push_back(get_id(input));
    for (std::uint32_t index = 0; index < layer.outputs.size(); ++index) {
      outputs.push_back(get_id({layer.id, index}));
    }
  }

  std::vector<const char*> inputs;
  std::vector<const char*> outputs;
};

// Makes the workload of one layer, which stays valid as long as the constants of the network.
// Errors: DiagnosticException with kWorkloadNotCreated, naming layer and backend; what the backend
// threw is its cause.
PluginObject<IWorkload> CreateWorkload(const LoadedBackend& backend, const BridgedNetwork& network,
                                       const TensorNumbers& numbers, const ShownConstants& shown,
                                       const KindTable& table, const Layer& layer) {
  const LayerTensors tensors(network.graph, shown, layer);
  const LayerFactories factories(network, numbers, table, layer);
  WorkloadArgs args;
  args.layer_type = layer.type;
  args.layer_name = layer.name.c_str();
  args.descriptor = layer.descriptor.get();
  args.inputs = tensors.GetInputs().data();
  args.num_inputs = static_cast<std::uint32_t>(tensors.GetInputs().size());
  args.num_outputs = static_cast<std::uint32_t>(tensors.GetOutputs().size());
  args.outputs = tensors.GetOutputs().data();
  args.constants = tensors.GetConstants().data();
  args.pre_compiled = layer.pre_compiled;
  args.input_factories = factories.inputs.data();
  args.output_factories = factories.outputs.data();
  const CallScope scope([&] {
    return "in backend \"" + backend.backend->id + "\", which made the workload of " +
           DescribeLayer(layer) + " of network \"" + network.graph.name + "\"";
  });
  auto result = backend.factory.Call<&IWorkloadFactory::CreateWorkload>(args);
  if (result.HasFailed()) ThrowNotCreated(backend, layer, result.failure.get());
  if (!result.value) ThrowNotCreated(backend, layer, nullptr);
  return {std::move(result.value), backend.factory.GetOrigin()};
}

class Creator {
 public:
  Creator(const std::vector<LoadedBackend>& backends, const BridgedNetwork& network,
          const KindTable& table, const ExecutionPlan& plan)
      : backends_(backends),
        network_(network),
        numbers_(network.graph),
        shown_(network.graph),
        table_(table),
        plan_(plan) {
    for (const auto* bindings : {&plan.inputs, &plan.outputs}) {
      for (const PlannedBinding& binding : *bindings) {
        for (const BoundMember& member : binding.members) moving_.insert(member.tensor);
      }
    }
  }

  PluginObject<IWorkload> Create(std::size_t index) {
    const PlannedStep& step = plan_.steps[index];
    const Layer& layer = network_.graph.layers[step.layer];
    if (layer.type == LayerType::kImport) return CreateImport(index);
    if (step.backend == kCoreBackend) return MakeMapCopyStep(GetEnds(step));
    PluginObject<IWorkload> workload =
        CreateWorkload(backends_[step.backend], network_, numbers_, shown_, table_, layer);
    return layer.type == LayerType::kCopy ? WrapCopy(step, std::move(workload)) : workload;
  }

 private:
  std::uint32_t GetTensor(const PlannedStep& step, std::uint32_t operand) const {
    return plan_.operands[step.first_operand + operand].tensor;
  }
  const TensorKind& GetKind(const PlannedStep& step, std::uint32_t operand) const {
    return table_.kinds[plan_.tensors[GetTensor(step, operand)].kind];
  }
  TransferEnds GetEnds(const PlannedStep& step) const {
    return {GetKind(step, 0).id, GetKind(step, 1).id};
  }

  PluginObject<IWorkload> CreateImport(std::size_t index) {
    const PlannedStep& step = plan_.steps[index];
    ImportStepArgs args;
    args.ends = GetEnds(step);
    args.source = FindCommonSource(GetKind(step, 0), GetKind(step, 1));
    args.step = index;
    const std::uint32_t source = GetTensor(step, 0);
    args.is_once = moving_.count(source) == 0;
    for (std::uint32_t output = 0; output < step.num_outputs; ++output) {
      const std::uint32_t tensor = GetTensor(step, 1 + output);
      ImportRules rules;
      rules.info = plan_.tensors[tensor].info;
      rules.requirements = network_.requirements[tensor];
      rules.sources = GetKind(step, 1).properties.import_sources;
      args.rules.push_back(rules);
      // What is imported from it again moves with it.
      if (!args.is_once) moving_.insert(tensor);
    }
    return MakeImportStep(std::move(args));
  }

  // Its own two kinds need no one's help.
  PluginObject<IWorkload> WrapCopy(const PlannedStep& step,
                                   PluginObject<IWorkload> workload) const {
    const TensorKind& from = GetKind(step, 0);
    const TensorKind& to = GetKind(step, 1);
    if (from.owner == to.owner) return workload;
    DeviceCopyArgs args;
    args.ends = GetEnds(step);
    args.workload = std::move(workload);
    args.is_input_foreign = from.owner != step.backend;
    const TensorKind& foreign = args.is_input_foreign ? from : to;
    const TensorHandleFactoryProperties& own =
        args.is_input_foreign ? to.properties : from.properties;
    const MemorySourceFlags wanted =
        args.is_input_foreign ? own.copy_from_sources : own.copy_to_sources;
    const bool can_map = IsMappable(foreign) && (wanted & ToFlags(MemorySource::kMalloc)) != 0;
    if (!can_map) args.source = GetFirstSource(wanted & foreign.properties.export_sources);
    return MakeDeviceCopyStep(std::move(args));
  }

  const std::vector<LoadedBackend>& backends_;
  const BridgedNetwork& network_;
  const TensorNumbers numbers_;
  const ShownConstants shown_;
  const KindTable& table_;
  const ExecutionPlan& plan_;
  std::set<std::uint32_t> moving_;  // tensors that may lie in memory of the application
};

}  // namespace

std::vector<WorkloadCall> CreateSteps(const std::vector<LoadedBackend>& backends,
                                      const BridgedNetwork& network, const KindTable& table,
                                      const ExecutionPlan& plan) {
  Creator creator(backends, network, table, plan);
  std::vector<WorkloadCall> steps;
  steps.reserve(plan.steps.size());
  for (std::size_t index = 0; index < plan.steps.size(); ++index) {
    WorkLimitScope::RequireTime();
    steps.emplace_back(creator.Create(index));
  }
  return steps;
}

}  // namespace backplane
