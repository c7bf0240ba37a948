#include "loading/create_steps.hpp"

#include "bridging/kind_arcs.hpp"
#include "execution/core_steps.hpp"
#include "loading/create_workload.hpp"

#include <set>
#include <utility>

namespace backplane {

namespace {

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

std::vector<PluginObject<IWorkload>> CreateSteps(const std::vector<LoadedBackend>& backends,
                                                 const BridgedNetwork& network,
                                                 const KindTable& table,
                                                 const ExecutionPlan& plan) {
  Creator creator(backends, network, table, plan);
  std::vector<PluginObject<IWorkload>> steps;
  steps.reserve(plan.steps.size());
  for (std::size_t index = 0; index < plan.steps.size(); ++index) {
    steps.push_back(creator.Create(index));
  }
  return steps;
}

}  // namespace backplane
