#include "loading/planned_network.hpp"

#include "graph/network.hpp"
#include "loading/run_stage.hpp"
#include "loading/staged_run.hpp"
#include "loading/tensors_in_memory.hpp"
#include "placement/placement_report.hpp"

#include <backplane/host/system_refusal.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <numeric>
#include <utility>

namespace backplane {

namespace {

using loading::Plan;

NetworkBindings MakeBindings(const IOptimizedNetwork& network, const OpenNetwork* open) {
  if (open != nullptr) {
    const INetworkSource& source = *open->GetSource();
    return {source.GetName(), source.GetInputs(), source.GetOutputs(), false};
  }
  return {network.GetPlacement().network, ToOpenBindings(network.GetInputs()),
          ToOpenBindings(network.GetOutputs()), true};
}

NetworkRecords MakeRecords(const NetworkBindings& bindings, const NetworkLoader& loader) {
  NetworkRecords records;
  records.id = loader.MakeId();
  records.given = std::make_shared<GivenTensors>();
  records.transfers = std::make_shared<TransferLedger>(ToNetworkBindings(bindings.inputs),
                                                       ToNetworkBindings(bindings.outputs));
  records.checks = std::make_shared<execution::CheckLedger>(loader.GetChecks());
  return records;
}

std::unique_ptr<NetworkFallback> MakeFallback(const IOptimizedNetwork& network,
                                              const OpenNetwork* open, const NetworkLoader& loader,
                                              const NetworkRecords& records) {
  if (open != nullptr) {
    return std::make_unique<NetworkFallback>(loader, records, open->GetOptions().on_failure);
  }
  const auto& source = static_cast<const OptimizedNetwork&>(network).GetParts().source;
  if (source == nullptr) return nullptr;
  return std::make_unique<NetworkFallback>(loader, records, source->options.on_failure);
}

/// The only stage of a network with fixed shapes.
NetworkStage MakeOnlyStage(std::size_t num_inputs, std::size_t num_outputs) {
  NetworkStage stage;
  stage.network_inputs.resize(num_inputs);
  std::iota(stage.network_inputs.begin(), stage.network_inputs.end(), 0);
  stage.network_outputs.resize(num_outputs);
  std::iota(stage.network_outputs.begin(), stage.network_outputs.end(),
            static_cast<StageValueId>(num_inputs));
  stage.results = stage.network_outputs;
  return stage;
}

/// Which inputs and outputs of the whole network those of a stage are.
BindingPlaces FindPlaces(const NetworkStage& stage, bool is_outermost, std::size_t num_inputs) {
  BindingPlaces places;
  for (const StageValueId id : stage.network_inputs) {
    places.inputs.push_back(is_outermost && id < num_inputs ? id : kBetweenStages);
  }
  for (const StageValueId id : stage.network_outputs) {
    const auto found = std::find(stage.results.begin(), stage.results.end(), id);
    places.outputs.push_back(
        is_outermost && found != stage.results.end()
            ? static_cast<std::uint32_t>(std::distance(stage.results.begin(), found))
            : kBetweenStages);
  }
  return places;
}

// Constants are shared, as far as backends can, and so is most of what backends compile.
std::uint64_t EstimateBytes(const Plan& plan) {
  constexpr std::uint64_t kOfPlan = 2048;
  constexpr std::uint64_t kOfLayer = 4096;
  if (!plan.placements) return kOfPlan;
  const LoadedNetwork& network = **plan.placements->Get();
  const std::size_t num_layers = network.GetParts().network.graph.layers.size();
  return kOfPlan + num_layers * kOfLayer + network.GetMemoryReport().arena_bytes;
}

/// `where` completes "was ended".
Diagnostic DescribeEnd(const std::string& name, Status status, const char* where) {
  const bool is_late = status == Status::kTimeout;
  Diagnostic diagnostic{is_late ? DiagnosticCode::kRunTimedOut : DiagnosticCode::kRunCancelled};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "a run of network \"" + name + "\" was ended " + where;
  diagnostic.why = is_late ? "found its deadline passed" : "found it cancelled";
  diagnostic.fix = is_late ? "allow more time" : "nothing: the application cancelled it";
  return diagnostic;
}

Diagnostic DescribeSourceThrew(const std::string& name, const std::string& what) {
  Diagnostic diagnostic{DiagnosticCode::kStageFailed};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "the source of network \"" + name + "\" made no stage";
  diagnostic.why = "found " + what + "; expected a stage";
  diagnostic.fix = "tell whoever made the source of the network";
  return diagnostic;
}

[[noreturn]] void ThrowOpenImport(const std::string& name) {
  Diagnostic diagnostic{DiagnosticCode::kImportRefused};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "memory cannot be imported for network \"" + name + "\"";
  diagnostic.why =
      "found a network of which plans are made when it runs; expected one with fixed "
      "shapes";
  diagnostic.fix = "give the memory to each run: it is used as it is where that is possible";
  throw DiagnosticException(std::move(diagnostic));
}

Status GetStatus(const Diagnostic& diagnostic) {
  switch (diagnostic.code) {
    case DiagnosticCode::kWrongTensorBinding:
    case DiagnosticCode::kImportRefused:
      return Status::kInvalidArgument;
    case DiagnosticCode::kOutOfMemory:
      return Status::kOutOfMemory;
    default:
      return Status::kFailure;
  }
}

/// Copying all memory of a tensor would take longer than copying the tensor.
/// Errors: CannotGrow when a growing tensor would not be written where it lies.
void RequireGrowing(const Plan& plan) {
  const LoadedNetwork& network = **plan.placements->Get();
  for (std::size_t output = 0; output < plan.shapes_in_memory.size(); ++output) {
    const bool grows = plan.shapes_in_memory[output].rank != 0;
    if (grows && !network.MayOverwriteInput(static_cast<LayerBindingId>(output))) {
      throw loading::CannotGrow();
    }
  }
}

/// Whether the plan of a network with fixed shapes cannot be run with them as they are.
bool NeedValues(const InputTensors& inputs, const OutputTensors& outputs) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [](const OutputTensor& output) { return output.result != nullptr; }) ||
         std::any_of(inputs.begin(), inputs.end(), [](const InputTensor& input) {
           return input.value != nullptr || input.memory_shape.rank != 0;
         });
}

}  // namespace

PlannedNetwork::PlannedNetwork(std::shared_ptr<const IOptimizedNetwork> network,
                               const NetworkLoader& loader)
    : open_(std::dynamic_pointer_cast<const OpenNetwork>(network)),
      loader_(loader),
      bindings_(MakeBindings(*network, open_.get())),
      records_(MakeRecords(bindings_, loader)),
      fallback_(MakeFallback(*network, open_.get(), loader, records_)),
      trees_(
          bindings_.network,
          [this](loading::PlanTree& tree, const std::vector<StageValue>* inputs,
                 const loading::MakeStage& make) { return MakePlan(tree, inputs, make); },
          open_ ? open_->GetOptions().max_plan_bytes : 0) {
  if (open_) {
    tree_ = trees_.Find(open_->GetSource(), loading::TreePlace::kOutermost);
    PlanAnnounced();
  } else {
    LoadFixed(std::static_pointer_cast<const OptimizedNetwork>(std::move(network)));
  }
}

void PlannedNetwork::LoadFixed(std::shared_ptr<const OptimizedNetwork> network) {
  auto plan = std::make_shared<Plan>();
  plan->stage = MakeOnlyStage(bindings_.inputs.size(), bindings_.outputs.size());
  plan->outputs = network->GetOutputs();
  const BindingPlaces places = FindPlaces(plan->stage, true, bindings_.inputs.size());
  plan->placements = std::make_unique<StagePlacements>(
      loader_.Load(std::move(network), records_.id, records_, places), places);
  if ((**plan->placements->Get()).IsIsolated()) memory_->Share();
  tree_ = std::make_shared<loading::PlanTree>();
  tree_->fixed = std::move(plan);
}

void PlannedNetwork::PlanAnnounced() {
  for (const std::vector<TensorShape>& shapes : open_->GetOptions().announced_shapes) {
    std::vector<StageValue> values;
    for (std::size_t i = 0; i < bindings_.inputs.size() && i < shapes.size(); ++i) {
      TensorInfo info = bindings_.inputs[i].info;
      info.shape = shapes[i];
      values.push_back(MakeStageTensor(info, nullptr));
    }
    if (auto wrong = FindWrongAnnounced(bindings_, values)) {
      throw DiagnosticException(std::move(*wrong));
    }
    trees_.FindFirst(*tree_, values, nullptr);
  }
}

std::shared_ptr<Plan> PlannedNetwork::MakePlan(loading::PlanTree& tree,
                                               const std::vector<StageValue>* inputs,
                                               const loading::MakeStage& make) {
  ExcludedBackends excluded = fallback_ ? fallback_->GetExcluded() : ExcludedBackends();
  if (inputs != nullptr && excluded.empty()) {
    if (auto foreseen = MakeForeseen(tree, *inputs)) return foreseen;
  }
  auto plan = std::make_shared<Plan>();
  WorkLimitScope::RequireTime();
  plan->stage = make();
  if (plan->stage.network) {
    WorkLimitScope::RequireTime();
    plan->outputs = plan->stage.network->GetOutputs();
    plan->shapes_in_memory = loading::FindShapesInMemory(
        *tree.source, plan->stage, static_cast<const Network&>(*plan->stage.network).GetGraph());
    PlacedLike like;
    Load(open_->OptimizeStage(plan->stage, std::move(excluded), examples_, like), tree, *plan);
    RequireGrowing(*plan);
    if (inputs != nullptr) tree.foreseen.Note(*inputs, plan->stage, like);
  }
  plan->size_bytes = EstimateBytes(*plan);
  return plan;
}

std::shared_ptr<Plan> PlannedNetwork::MakeForeseen(loading::PlanTree& tree,
                                                   const std::vector<StageValue>& inputs) {
  auto foreseen = tree.foreseen.Find(inputs);
  if (!foreseen) return nullptr;
  auto plan = std::make_shared<Plan>();
  plan->is_foreseen = true;
  plan->stage = std::move(foreseen->stage);
  plan->outputs = GetOutputBindings(*foreseen->graph);
  plan->shapes_in_memory = loading::FindShapesInMemory(*tree.source, plan->stage, *foreseen->graph);
  Load(open_->OptimizeForeseen(*foreseen->graph, examples_, foreseen->like), tree, *plan);
  RequireGrowing(*plan);
  plan->size_bytes = EstimateBytes(*plan);
  return plan;
}

void PlannedNetwork::Load(std::shared_ptr<const OptimizedNetwork> network,
                          const loading::PlanTree& tree, Plan& plan) {
  const BindingPlaces places = FindPlaces(plan.stage, tree.is_outermost, bindings_.inputs.size());
  plan.placements = std::make_unique<StagePlacements>(
      loader_.Load(std::move(network), loader_.MakeId(), records_, places), places);
  if ((**plan.placements->Get()).IsIsolated()) memory_->Share();
}

Status PlannedNetwork::Run(const InputTensors& inputs, const OutputTensors& outputs,
                           const RunBounds* bounds, std::optional<Diagnostic>* failure) noexcept {
  try {
    if (IsFixed() && !NeedValues(inputs, outputs)) {
      return RunStage(*tree_->fixed->placements, fallback_.get(), {inputs, outputs, bounds},
                      failure);
    }
    return RunStaged(inputs, outputs, bounds);
  } catch (loading::RunFailure& end) {
    if (failure != nullptr) {
      *failure = end.diagnostic ? std::move(end.diagnostic)
                                : DescribeEnd(GetName(), end.status, "between two of its stages");
    }
    return end.status;
  } catch (const DiagnosticException& exception) {
    return TellFailure(exception.GetDiagnostic(), bounds, failure);
  } catch (const std::bad_alloc&) {
    if (failure != nullptr) *failure = DescribeOutOfMemory("the network could not be run");
    return Status::kOutOfMemory;
  } catch (const std::exception& exception) {
    const std::string what = std::string("the exception \"") + exception.what() + '"';
    if (failure != nullptr) *failure = DescribeSourceThrew(GetName(), what);
  } catch (...) {
    const char* const what = "an exception that is no std::exception";
    if (failure != nullptr) *failure = DescribeSourceThrew(GetName(), what);
  }
  return Status::kFailure;
}

Status PlannedNetwork::TellFailure(const Diagnostic& thrown, const RunBounds* bounds,
                                   std::optional<Diagnostic>* failure) const {
  const auto now = std::chrono::steady_clock::now();
  const bool may_be_over = bounds != nullptr && IsOfRunEnd(thrown);
  const RunStop stop = may_be_over ? bounds->limit.Check(now) : RunStop::kNone;
  const Status status = stop != RunStop::kNone ? backplane::GetStatus(stop) : GetStatus(thrown);
  if (failure == nullptr) return status;
  *failure = thrown;
  if (stop != RunStop::kNone) {
    *failure = DescribeEnd(GetName(), status, "while its plan was made");
    (*failure)->causes = {thrown};
  }
  return status;
}

Status PlannedNetwork::RunStaged(const InputTensors& inputs, const OutputTensors& outputs,
                                 const RunBounds* bounds) {
  if (auto wrong = FindWrongBindings(bindings_, inputs, outputs)) {
    throw DiagnosticException(std::move(*wrong));
  }
  const RunWorkScope bounded(bounds != nullptr ? &bounds->limit : nullptr);
  if (loading::HaveMemoryShapes(inputs, outputs)) {
    RunInMemory(inputs, outputs, bounds);
  } else {
    RunTree(*tree_, inputs, outputs, bounds);
  }
  return Status::kSuccess;
}

void PlannedNetwork::RunTree(loading::PlanTree& tree, const InputTensors& inputs,
                             const OutputTensors& outputs, const RunBounds* bounds) {
  loading::StagedRunParts parts{trees_, memory_, fallback_.get(), bounds};
  if (open_) parts.most_copied = open_->GetOptions().max_copied_bytes;
  loading::GivenInputs given = loading::TakeInputs(bindings_, inputs);
  const auto wanted = loading::TakeOutputs(bindings_, given.values, outputs);
  // The run, which shares what it made, ends with its results.
  std::vector<StageValue> results = loading::StagedRun(parts).Run(tree, std::move(given), wanted);
  loading::Deliver({bindings_, inputs, outputs, *memory_, *records_.transfers}, std::move(results));
}

void PlannedNetwork::RunInMemory(const InputTensors& inputs, const OutputTensors& outputs,
                                 const RunBounds* bounds) {
  const auto growing = loading::FindGrowing(inputs, outputs);
  if (const auto tree = FindGrowingTree(growing)) {
    try {
      loading::DenseTensors dense(inputs, outputs, growing, *memory_, *records_.transfers);
      RunTree(*tree, dense.GetInputs(), dense.GetOutputs(), bounds);
      return dense.Deliver(bindings_);
    } catch (const loading::CannotGrow& refusal) {
      if (!refusal.is_of_shapes) RefuseGrowing(tree);
    }
  }
  loading::DenseTensors dense(inputs, outputs, {}, *memory_, *records_.transfers);
  RunTree(*tree_, dense.GetInputs(), dense.GetOutputs(), bounds);
  dense.Deliver(bindings_);
}

// Each has plans of its own: of those for other memory, few are needed again.
std::shared_ptr<loading::PlanTree> PlannedNetwork::FindGrowingTree(
    const std::vector<loading::GrowingTensor>& tensors) {
  constexpr std::size_t kMostKept = 4;
  if (!open_ || tensors.empty()) return nullptr;
  const std::lock_guard<std::mutex> lock(growing_mutex_);
  const auto found = std::find_if(growing_.begin(), growing_.end(),
                                  [&](const GrowingTree& kept) { return kept.tensors == tensors; });
  if (found != growing_.end()) return found->tree;
  if (growing_.size() == kMostKept) growing_.erase(growing_.begin());
  auto tree = trees_.Find(std::make_shared<loading::GrowingSource>(open_->GetSource(), tensors),
                          loading::TreePlace::kOutermost);
  growing_.push_back({tensors, tree});
  return tree;
}

void PlannedNetwork::RefuseGrowing(const std::shared_ptr<loading::PlanTree>& tree) {
  const std::lock_guard<std::mutex> lock(growing_mutex_);
  for (GrowingTree& kept : growing_) {
    if (kept.tree == tree) kept.tree = nullptr;
  }
}

void PlannedNetwork::Unload() {
  tree_->fixed.reset();
  tree_->foreseen = loading::ForeseenStages();
  trees_.Clear();
  examples_.Clear();
  growing_.clear();
}

std::vector<std::shared_ptr<Plan>> PlannedNetwork::GetPlans() const {
  if (open_) return trees_.GetAll();
  if (!IsFixed()) return {};
  return {tree_->fixed};
}

template <typename Visit>
void PlannedNetwork::ForEachLoaded(const Visit& visit) const {
  for (const auto& plan : GetPlans()) {
    if (plan->placements) plan->placements->ForEach(visit);
  }
}

bool PlannedNetwork::AwaitLeftRuns(RunLimit::Time deadline) const {
  bool have_finished = true;
  ForEachLoaded([&](LoadedNetwork& network) {
    have_finished = network.AwaitLeftRuns(deadline) && have_finished;
  });
  return have_finished;
}

std::vector<RunInProgress> PlannedNetwork::GetRunsInProgress() const {
  std::vector<RunInProgress> all;
  ForEachLoaded([&](const LoadedNetwork& network) {
    for (RunInProgress& run : network.GetRunsInProgress()) all.push_back(std::move(run));
  });
  return all;
}

ImportedTensorId PlannedNetwork::ImportTensor(BindingKind kind, LayerBindingId binding,
                                              const MemoryView& memory) {
  if (open_) ThrowOpenImport(GetName());
  if (fallback_) fallback_->PlaceAgain(*tree_->fixed->placements, nullptr);
  return (**tree_->fixed->placements->Get()).ImportTensor(kind, binding, memory);
}

bool PlannedNetwork::ReleaseImportedTensor(ImportedTensorId imported) {
  bool is_released = false;
  ForEachLoaded([&](LoadedNetwork& network) {
    is_released = is_released || network.ReleaseImportedTensor(imported);
  });
  return is_released;
}

MemoryReport PlannedNetwork::GetMemoryReport() const {
  MemoryReport sum;
  for (const auto& plan : GetPlans()) {
    if (!plan->placements) continue;
    const std::shared_ptr<LoadedPlacement> placement = plan->placements->Get();
    const MemoryReport& report = (**placement).GetMemoryReport();
    sum.arena_bytes += report.arena_bytes;
    sum.lower_bound_bytes += report.lower_bound_bytes;
    sum.constants_bytes = std::max(sum.constants_bytes, report.constants_bytes);
    sum.arenas.insert(sum.arenas.end(), report.arenas.begin(), report.arenas.end());
    if (sum.packed_constants.size() < report.packed_constants.size()) {
      sum.packed_constants = report.packed_constants;
    }
  }
  return sum;
}

FallbackReport PlannedNetwork::GetFallbackReport() const {
  FallbackReport report;
  if (fallback_) report = fallback_->GetReport();
  if (!open_) {
    report.placement = (**tree_->fixed->placements->Get()).GetOptimized().GetPlacement();
    return report;
  }
  report.placement = open_->GetPlacement();
  for (const auto& plan : trees_.GetLatest()) {
    if (!plan->placements) continue;
    JoinPlacement((**plan->placements->Get()).GetOptimized().GetPlacement(), report.placement);
  }
  return report;
}

std::vector<PlanReport> PlannedNetwork::GetPlanReports() const {
  std::vector<PlanReport> reports;
  if (!open_) return reports;
  for (const auto& tree : trees_.GetTrees()) {
    for (const auto& plan : trees_.GetFirst(*tree)) {
      PlanReport report;
      report.network = tree->source->GetName();
      report.is_within = !tree->is_outermost;
      report.input_shapes = plan->input_shapes;
      report.num_runs = plan->num_runs;
      AddStages(*plan, report);
      reports.push_back(std::move(report));
    }
  }
  return reports;
}

void PlannedNetwork::AddStages(const Plan& plan, PlanReport& report) const {
  StageReport stage;
  report.size_bytes += plan.size_bytes;
  stage.is_foreseen = plan.is_foreseen;
  if (plan.placements) {
    const std::shared_ptr<LoadedPlacement> placement = plan.placements->Get();
    const OptimizedNetworkParts& parts = (**placement).GetParts();
    stage.placement = (**placement).GetOptimized().GetPlacement();
    stage.memory = (**placement).GetMemoryReport();
    stage.is_resized = parts.IsResized();
    stage.not_resized_by = parts.like.refused_by;
  }
  for (const StageStep& step : plan.stage.steps) {
    stage.operations.push_back(step.operation->GetDescription());
  }
  if (plan.placements || !stage.operations.empty()) report.stages.push_back(std::move(stage));
  for (const auto& next : trees_.GetNext(plan)) AddStages(*next, report);
}

}  // namespace backplane
