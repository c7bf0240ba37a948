#include "runtime/network_runs.hpp"

#include "runtime/fallback_words.hpp"
#include "runtime/network_fallback.hpp"
#include "runtime/result_tensors.hpp"

#include <backplane/host/logging.hpp>

#include <chrono>
#include <string>
#include <utility>

namespace backplane {

namespace {

void LogHang(const Diagnostic& diagnostic) {
  Log("runtime", LogLevel::kWarning, ToText(diagnostic));
}

/// One that was over before it began.
Diagnostic DescribeNotBegun(NetworkId network, RunStop stop) {
  const bool is_late = stop == RunStop::kDeadline;
  Diagnostic diagnostic{is_late ? DiagnosticCode::kRunTimedOut : DiagnosticCode::kRunCancelled};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(network)};
  diagnostic.what = "a run of network " + std::to_string(network) + " was not begun";
  diagnostic.why = is_late ? "found its deadline passed; expected one that leaves time"
                           : "found it cancelled before it began";
  diagnostic.fix = is_late ? "allow more time" : "give a token that is not cancelled";
  return diagnostic;
}

}  // namespace

NetworkRuns::NetworkRuns() : watch_(&LogHang) {}

Status NetworkRuns::Run(NetworkId network, const InputTensors& inputs, const OutputTensors& outputs,
                        std::optional<Diagnostic>* failure) {
  const NetworkTable::Use loaded = table_.Find(network);
  if (loaded) return Run(loaded, {inputs, outputs, nullptr}, failure);
  return RunStaged(network, inputs, outputs, nullptr, failure);
}

Status NetworkRuns::RunStaged(NetworkId network, const InputTensors& inputs,
                              const OutputTensors& outputs, const RunLimit* limit,
                              std::optional<Diagnostic>* failure) {
  const std::shared_ptr<StagedNetwork> staged = staged_.Find(network).network;
  if (!staged) {
    if (failure != nullptr) *failure = DescribeUnknownNetwork(network);
    return Status::kNotFound;
  }
  const staging::StageExecutor execute = [this, limit](NetworkId stage, const InputTensors& given,
                                                       const OutputTensors& wanted,
                                                       std::optional<Diagnostic>* told) {
    return limit != nullptr ? RunWithin(*limit, stage, given, wanted, told)
                            : Run(stage, given, wanted, told);
  };
  return staged->Run(inputs, outputs, execute, limit, failure);
}

Status NetworkRuns::RunWithin(const RunLimit& limit, NetworkId network, const InputTensors& inputs,
                              const OutputTensors& outputs, std::optional<Diagnostic>* failure) {
  if (!limit.IsBounded()) return Run(network, inputs, outputs, failure);
  const NetworkTable::Use loaded = table_.Find(network);
  if (!loaded) return RunStaged(network, inputs, outputs, &limit, failure);
  const RunStop stop = limit.Check(std::chrono::steady_clock::now());
  if (stop != RunStop::kNone) {
    if (failure != nullptr) *failure = DescribeNotBegun(network, stop);
    return GetStatus(stop);
  }
  const RunBounds bounds{limit, watch_};
  return Run(loaded, {inputs, outputs, &bounds}, failure);
}

Status NetworkRuns::Run(const NetworkTable::Use& loaded, const RunArgs& args,
                        std::optional<Diagnostic>* failure) {
  if (HaveResults(args.outputs)) {
    return RunWithResults(*loaded, args.outputs, [&](const OutputTensors& with_room) {
      return RunWithRoom(loaded, {args.inputs, with_room, args.bounds}, failure);
    });
  }
  return RunWithRoom(loaded, args, failure);
}

Status NetworkRuns::RunWithRoom(const NetworkTable::Use& loaded, const RunArgs& args,
                                std::optional<Diagnostic>* failure) {
  std::optional<Diagnostic> own;
  const bool may_run_elsewhere = loaded.GetEntry().fallback != nullptr;
  if (may_run_elsewhere && failure == nullptr) failure = &own;
  const RunEnd end = (*loaded).Run(args.inputs, args.outputs, args.bounds, failure);
  if (end.failed_backend == nullptr || !may_run_elsewhere) return end.status;
  return RunElsewhere(loaded.GetEntry(), end, args, *failure);
}

Status NetworkRuns::RunElsewhere(LoadedEntry& failed, const RunEnd& end, const RunArgs& args,
                                 std::optional<Diagnostic>& told) {
  const RunLimit* const limit = args.bounds != nullptr ? &args.bounds->limit : nullptr;
  FallbackAnswer answer =
      failed.fallback->PlaceElsewhere(table_, failed, *end.failed_backend, *told, limit);
  if (answer.stop == RunStop::kNone && limit != nullptr) {
    answer.stop = limit->Check(std::chrono::steady_clock::now());
  }
  if (answer.why_not) {
    told->causes.push_back(std::move(*answer.why_not));
  } else if (answer.stop != RunStop::kNone) {
    told = DescribeNoTimeLeft(failed.network->GetName(), answer.stop, *told);
    return GetStatus(answer.stop);
  } else if (!end.has_kept_inputs) {
    told->causes.push_back(DescribeLostInputs(failed.network->GetName()));
  } else {
    return Repeat(failed, end, args, told);
  }
  return end.status;
}

Status NetworkRuns::Repeat(LoadedEntry& failed, const RunEnd& end, const RunArgs& args,
                           std::optional<Diagnostic>& told) {
  const NetworkTable::Use again = table_.Find(failed.id);
  if (!again) {
    told->causes.push_back(DescribeUnloadedMeanwhile(failed.network->GetName()));
    return end.status;
  }
  failed.fallback->CountRepeatedRun();
  std::optional<Diagnostic> failure;
  const RunEnd repeated = (*again).Run(args.inputs, args.outputs, args.bounds, &failure);
  if (repeated.status == Status::kSuccess) {
    told.reset();
    return Status::kSuccess;
  }
  if (repeated.failed_backend != nullptr) {
    failure->causes.push_back(DescribePlacedBefore(failed.network->GetName(),
                                                   *repeated.failed_backend,
                                                   failed.fallback->GetReport().failed_backend));
  }
  failure->causes.push_back(std::move(*told));
  told = std::move(failure);
  return repeated.status;
}

std::vector<RunInProgress> NetworkRuns::GetRunsInProgress() const {
  std::vector<RunInProgress> all;
  for (const NetworkId id : table_.GetIds()) {
    const NetworkTable::Use loaded = table_.Find(id);
    if (!loaded) continue;
    ForEachNetwork(loaded.GetEntry(), [&](const LoadedNetwork& network) {
      for (RunInProgress& run : network.GetRunsInProgress()) all.push_back(std::move(run));
    });
  }
  return all;
}

Diagnostic DescribeUnknownNetwork(NetworkId id) {
  Diagnostic diagnostic{DiagnosticCode::kUnknownNetwork};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(id)};
  diagnostic.what = "no network with the id " + std::to_string(id) + " is loaded";
  diagnostic.why = "found " + std::to_string(id) +
                   "; expected an id that LoadNetwork of this runtime returned and that was not "
                   "unloaded";
  diagnostic.fix = "load the network first";
  return diagnostic;
}

}  // namespace backplane
