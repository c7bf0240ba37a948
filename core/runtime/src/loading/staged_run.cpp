#include "loading/staged_run.hpp"

#include "loading/run_stage.hpp"
#include "loading/stage_values.hpp"
#include "placement/transfer_errors.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace backplane::loading {
namespace {

constexpr std::uint32_t kMaxDepth = 64;
/// To make each takes as long as what is left of the network.
constexpr std::size_t kMaxStages = 1000;

[[noreturn]] void ThrowTooDeep(const std::string& name) {
  Diagnostic diagnostic{DiagnosticCode::kNetworksTooDeep};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "network \"" + name + "\" was not run";
  diagnostic.why = "found it within " + std::to_string(kMaxDepth) +
                   " loops and branches; expected at most that many";
  diagnostic.fix = "flatten the model";
  throw DiagnosticException(std::move(diagnostic));
}

[[noreturn]] void ThrowTooManyStages(const std::string& name) {
  Diagnostic diagnostic{DiagnosticCode::kStageFailed};
  diagnostic.subject = {SubjectKind::kNetwork, name};
  diagnostic.what = "a run of network \"" + name + "\" was given up";
  diagnostic.why = "found more than " + std::to_string(kMaxStages) +
                   " stages, each of which depends on what the one before has computed; expected "
                   "at most that many";
  diagnostic.fix = "export the model so that fewer shapes depend on data";
  throw DiagnosticException(std::move(diagnostic));
}

[[noreturn]] void ThrowWrongCount(const IStageOperation& operation, std::size_t found,
                                  std::size_t expected) {
  Diagnostic diagnostic{DiagnosticCode::kStageFailed};
  diagnostic.subject = {SubjectKind::kLayer, operation.GetDescription()};
  diagnostic.what = operation.GetDescription() + " did not give what was asked of it";
  diagnostic.why =
      "found " + std::to_string(found) + " results; expected " + std::to_string(expected);
  diagnostic.fix = "tell whoever made the source of the network";
  throw DiagnosticException(std::move(diagnostic));
}

/// Whether nothing but the network of the only stage reads the inputs.
bool IsReadByNetworkAlone(const NetworkStage& stage, std::size_t num_inputs) {
  return !stage.next && stage.steps.empty() &&
         std::all_of(stage.results.begin(), stage.results.end(),
                     [&](StageValueId id) { return id >= num_inputs; });
}

}  // namespace

std::vector<StageValue> StagedRun::Run(PlanTree& tree, GivenInputs inputs,
                                       const std::vector<WantedOutput>& wanted) {
  const RunLimit* const limit = parts_.bounds != nullptr ? &parts_.bounds->limit : nullptr;
  inputs_ = std::move(inputs);
  std::vector<std::shared_ptr<Plan>> plans;
  plans.push_back(parts_.trees.FindFirst(tree, inputs_.values, limit));
  while (true) {
    Plan& plan = *plans.back();
    ++plan.num_runs;
    RequireGoingOn();
    if (plan.placements) RunStageNetwork(plan, wanted);
    RunSteps(plan);
    const NetworkStage& stage = plan.stage;
    if (!stage.next) return TakeResults(stage.results);
    if (plans.size() >= kMaxStages) ThrowTooManyStages(tree.source->GetName());
    plans.push_back(parts_.trees.FindNext(tree, plan, GetMade(stage), GetAll(stage.wanted), limit));
  }
}

void StagedRun::RunStageNetwork(const Plan& plan, const std::vector<WantedOutput>& wanted) {
  if (parts_.most_copied) CountCopies((**plan.placements->Get()).GetParts().placement);
  const InputTensors inputs = TakeInputs(plan.stage);
  const OutputTensors outputs = MakeRoom(plan, wanted);
  std::optional<Diagnostic> failure;
  const Status status =
      RunStage(*plan.placements, parts_.fallback, {inputs, outputs, parts_.bounds}, &failure);
  if (status != Status::kSuccess) throw RunFailure{status, std::move(failure)};
}

void StagedRun::CountCopies(const Placement& placement) {
  parts_.copied_bytes += placement.copied_bytes;
  if (parts_.copied_bytes <= *parts_.most_copied) return;
  Placement of_run = placement;
  of_run.copied_bytes = parts_.copied_bytes;
  RequireFewBytesCopied(of_run, parts_.most_copied);
}

InputTensors StagedRun::TakeInputs(const NetworkStage& stage) const {
  InputTensors inputs;
  for (const StageValueId id : stage.network_inputs) {
    const StageValue& value = Get(id);
    const InputUse given = id < inputs_.uses.size() ? inputs_.uses[id] : InputUse();
    inputs.push_back({static_cast<LayerBindingId>(inputs.size()),
                      ConstTensor{value.info, value.data.get()}, given.use, given.imported});
    if (given.memory.rank != 0) inputs.back().tensor.info.shape = given.memory;
  }
  return inputs;
}

OutputTensors StagedRun::MakeRoom(const Plan& plan, const std::vector<WantedOutput>& wanted) {
  const NetworkStage& stage = plan.stage;
  OutputTensors outputs;
  for (const NetworkBinding& binding : plan.outputs) {
    const std::uint64_t size_bytes = binding.info.GetSizeBytes();
    const StageValueId id = stage.network_outputs[binding.id];
    StageValue value = MakeStageTensor(binding.info, nullptr);
    if (!plan.shapes_in_memory.empty() && plan.shapes_in_memory[binding.id].rank != 0) {
      value.info.shape = plan.shapes_in_memory[binding.id];
    }
    OutputTensor output;
    output.id = binding.id;
    output.size_bytes = size_bytes;
    // The room of the application is used where the output is known to go there, once.
    for (std::size_t i = 0; i < stage.results.size() && i < wanted.size(); ++i) {
      const WantedOutput& room = wanted[i];
      const bool may_be_used =
          !room.is_of_input || IsReadByNetworkAlone(stage, inputs_.values.size());
      const bool fits =
          room.imported != kNotImported ||
          (may_be_used && room.data != nullptr &&
           (room.size_bytes == size_bytes || (room.may_be_larger && room.size_bytes > size_bytes)));
      if (stage.results[i] != id || !fits) continue;
      value.data = std::shared_ptr<const void>(std::shared_ptr<void>(), room.data);
      output.data = room.data;
      output.use = room.use;
      output.imported = room.imported;
      break;
    }
    if (output.data == nullptr && output.imported == kNotImported) {
      const std::shared_ptr<void> memory = Allocate(size_bytes);
      output.data = memory.get();
      value.data = memory;
    }
    outputs.push_back(output);
    made_[id] = std::move(value);
  }
  return outputs;
}

void StagedRun::RunSteps(const Plan& plan) {
  for (const StageStep& step : plan.stage.steps) {
    RequireGoingOn();
    std::vector<StageValue> results = RunOperation(*step.operation, GetAll(step.inputs));
    if (results.size() < step.outputs.size()) {
      ThrowWrongCount(*step.operation, results.size(), step.outputs.size());
    }
    for (std::size_t i = 0; i < step.outputs.size(); ++i) {
      made_[step.outputs[i]] = std::move(results[i]);
    }
  }
}

std::vector<StageValue> StagedRun::RunOperation(const IStageOperation& operation,
                                                const std::vector<StageValue>& inputs) {
  try {
    return operation.Run(inputs, *this);
  } catch (const DiagnosticException&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& exception) {
    ThrowStageError(operation,
                    std::string("found the exception \"") + exception.what() + "\"; expected none");
  } catch (const RunFailure&) {
    throw;
  } catch (...) {
    ThrowStageError(operation, "found an exception that is no std::exception; expected none");
  }
}

std::vector<StageValue> StagedRun::GetAll(const std::vector<StageValueId>& ids) const {
  std::vector<StageValue> values;
  values.reserve(ids.size());
  for (const StageValueId id : ids) values.push_back(Get(id));
  return values;
}

std::vector<StageValue> StagedRun::TakeResults(const std::vector<StageValueId>& ids) {
  std::vector<StageValue> results;
  results.reserve(ids.size());
  for (auto id = ids.begin(); id != ids.end(); ++id) {
    const bool is_needed =
        *id < inputs_.values.size() || std::find(id + 1, ids.end(), *id) != ids.end();
    if (is_needed) {
      results.push_back(Get(*id));
    } else {
      results.push_back(std::move(made_.at(*id)));
    }
  }
  return results;
}

std::vector<StageValue> StagedRun::GetMade(const NetworkStage& stage) const {
  std::vector<StageValue> made;
  for (const StageStep& step : stage.steps) {
    for (const StageValueId id : step.outputs) made.push_back(Get(id));
  }
  return made;
}

std::vector<StageValue> StagedRun::RunNetwork(const std::shared_ptr<const INetworkSource>& network,
                                              std::vector<StageValue> inputs) {
  if (depth_ + 1 >= kMaxDepth) ThrowTooDeep(network->GetName());
  const std::shared_ptr<PlanTree> tree = parts_.trees.Find(network, TreePlace::kWithin);
  return StagedRun(parts_, depth_ + 1).Run(*tree, {std::move(inputs), {}}, {});
}

void StagedRun::RequireGoingOn() {
  if (parts_.bounds == nullptr) return;
  const RunLimit& limit = parts_.bounds->limit;
  const RunStop stop = limit.Check(limit.LookAtClock());
  if (stop != RunStop::kNone) throw RunFailure{GetStatus(stop), std::nullopt};
}

}  // namespace backplane::loading
