#include "runtime/network_runs.hpp"

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

NetworkRuns::NetworkRuns()
    : watch_("a watch for runs that hang", [] { return std::make_shared<HangWatch>(&LogHang); }) {}

Status NetworkRuns::Run(NetworkId network, const InputTensors& inputs, const OutputTensors& outputs,
                        const RunLimit* limit, std::optional<Diagnostic>* failure) {
  const NetworkTable::Use loaded = table_.Find(network);
  if (!loaded) {
    if (failure != nullptr) *failure = DescribeMissing(network);
    return Status::kNotFound;
  }
  if (limit == nullptr || !limit->IsBounded()) {
    return loaded->Run(inputs, outputs, nullptr, failure);
  }
  const RunStop stop = limit->Check(std::chrono::steady_clock::now());
  if (stop != RunStop::kNone) {
    if (failure != nullptr) *failure = DescribeNotBegun(network, stop);
    return GetStatus(stop);
  }
  const RunBounds bounds{*limit, watch_.Get()};
  return loaded->Run(inputs, outputs, &bounds, failure);
}

std::vector<RunInProgress> NetworkRuns::GetRunsInProgress() const {
  std::vector<RunInProgress> all;
  for (const NetworkId id : table_.GetIds()) {
    const NetworkTable::Use loaded = table_.Find(id);
    if (!loaded) continue;
    for (RunInProgress& run : loaded->GetRunsInProgress()) all.push_back(std::move(run));
  }
  return all;
}

Diagnostic NetworkRuns::DescribeMissing(NetworkId network) const {
  if (!table_.IsClosed()) return DescribeUnknownNetwork(network);
  Diagnostic diagnostic{DiagnosticCode::kRuntimeShutDown};
  diagnostic.subject = {SubjectKind::kNetwork, std::to_string(network)};
  diagnostic.what =
      "network " + std::to_string(network) + " is not loaded: its runtime is shut down";
  diagnostic.why = "found that Shutdown was called; expected that runs come before";
  diagnostic.fix = "make another runtime, and load the network there";
  return diagnostic;
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
