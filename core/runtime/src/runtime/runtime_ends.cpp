#include "execution/run_text.hpp"
#include "profiling/runtime_profiling.hpp"
#include "profiling/span.hpp"
#include "runtime/network_runs.hpp"
#include "runtime/runtime.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/thread_places.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace {

/// What runs that hang use of a runtime that goes before them.
struct HangingParts {
  std::vector<std::shared_ptr<LoadedEntry>> networks;
  std::shared_ptr<NetworkRuns> runs;
  DeviceSpec device;  // with the contexts and the libraries
  std::unique_ptr<profiling::RuntimeProfiling> profiling;
};

// Keeps them until the process ends: code that is never left must stay. [any thread]
void KeepForGood(HangingParts parts) {
  // Never destroyed, also when the process ends: runs may go on until then.
  static auto* const kMutex = new std::mutex;
  static auto* const kKept = new std::vector<HangingParts>;
  const std::lock_guard<std::mutex> lock(*kMutex);
  kKept->push_back(std::move(parts));
}

using Time = RunLimit::Time;

std::vector<Diagnostic> NameRuns(const PlannedNetwork& network) {
  std::vector<Diagnostic> named;
  for (const RunInProgress& run : network.GetRunsInProgress()) named.push_back(DescribeHang(run));
  return named;
}

Diagnostic DescribeNetworkInUse(const PlannedNetwork& network, std::chrono::nanoseconds waited) {
  Diagnostic diagnostic{DiagnosticCode::kNetworkInUse};
  diagnostic.subject = {SubjectKind::kNetwork, network.GetName()};
  diagnostic.what = "network " + std::to_string(network.GetId()) + " (\"" + network.GetName() +
                    "\") was not unloaded, because runs are in it";
  diagnostic.causes = NameRuns(network);
  // One that is at the memory of the application is in no layer.
  const std::size_t num_runs = std::max<std::size_t>(1, diagnostic.causes.size());
  diagnostic.why = "found " + std::to_string(num_runs) + " after waiting for " +
                   GetTimeText(waited) + "; expected none";
  diagnostic.fix = "unload it later, and give runs a deadline so that they end";
  return diagnostic;
}

Diagnostic DescribeRuntimeInUse(const std::vector<std::shared_ptr<LoadedEntry>>& hanging,
                                std::size_t num_in_handlers, std::chrono::nanoseconds waited) {
  Diagnostic diagnostic{DiagnosticCode::kRuntimeInUse};
  diagnostic.what = "the runtime was shut down before its runs";
  for (const auto& entry : hanging) {
    for (Diagnostic& named : NameRuns(*entry->network))
      diagnostic.causes.push_back(std::move(named));
  }
  // One that waits for its plan is in no layer.
  const std::size_t num_runs = std::max(hanging.size(), diagnostic.causes.size());
  diagnostic.why =
      "found " + std::to_string(num_runs) + " runs and " + std::to_string(num_in_handlers) +
      " handlers of runs that go on after waiting for " + GetTimeText(waited) + "; expected none";
  diagnostic.fix = "what they use is kept until the process ends; end it when that is too much";
  return diagnostic;
}

}  // namespace

Runtime::~Runtime() {
  const Time deadline = shutdown_timeout_
                            ? AddSaturated(std::chrono::steady_clock::now(), *shutdown_timeout_)
                            : Time::max();
  std::optional<Diagnostic> failure;
  if (Shutdown(deadline, &failure) != Status::kSuccess && failure) {
    Log("runtime", LogLevel::kWarning, ToText(*failure));
  }
  if (hanging_.empty()) return;
  KeepForGood({std::move(hanging_), runs_, device_, std::move(profiling_)});
}

void Runtime::UnloadNetwork(NetworkId network) {
  std::shared_ptr<LoadedEntry> in_use;
  if (Unload(network, Time::max(), in_use) == Status::kSuccess) return;
  throw DiagnosticException(runs_->DescribeMissing(network));
}

Status Runtime::UnloadNetwork(NetworkId network, Time deadline,
                              std::optional<Diagnostic>* failure) {
  const Time begin = std::chrono::steady_clock::now();
  std::shared_ptr<LoadedEntry> in_use;
  const Status status = Unload(network, deadline, in_use);
  if (status == Status::kNotFound && failure != nullptr) {
    *failure = runs_->DescribeMissing(network);
  }
  if (!in_use) return status;
  if (failure != nullptr) {
    *failure = DescribeNetworkInUse(*in_use->network, std::chrono::steady_clock::now() - begin);
  }
  runs_->GetTable().PutBack(std::move(in_use));
  return status;
}

Status Runtime::Unload(NetworkId network, Time deadline, std::shared_ptr<LoadedEntry>& in_use) {
  async_.Get().CancelAllOf(network);
  const RemovedEntry removed = runs_->GetTable().Remove(network, deadline);
  if (!removed.entry) return Status::kNotFound;
  PlannedNetwork& loaded = *removed.entry->network;
  if (!removed.is_idle || !loaded.AwaitLeftRuns(deadline)) {
    in_use = removed.entry;
    return Status::kTimeout;
  }
  const profiling::Span span(device_.GetRecorder(), ProfileEventKind::kUnload, "unload network",
                             std::to_string(network));
  const CallScope scope([&] { return "in UnloadNetwork of network \"" + loaded.GetName() + "\""; });
  loaded.Unload();
  Log("runtime", LogLevel::kDebug, "network " + std::to_string(network) + " is unloaded");
  return Status::kSuccess;
}

Status Runtime::Shutdown(Time deadline, std::optional<Diagnostic>* failure) {
  const std::lock_guard<std::mutex> lock(shutdown_mutex_);
  if (is_shut_down_) return Status::kSuccess;
  is_shut_down_ = true;
  const Time begin = std::chrono::steady_clock::now();
  NetworkTable& table = runs_->GetTable();
  table.Close();
  async_.Get().Stop();
  for (const NetworkId id : table.GetIds()) {
    std::shared_ptr<LoadedEntry> in_use;
    if (Unload(id, deadline, in_use) == Status::kTimeout) hanging_.push_back(std::move(in_use));
  }
  const std::size_t num_in_handlers = async_.Get().Join(deadline);
  if (hanging_.empty() && num_in_handlers == 0) return Status::kSuccess;
  if (failure != nullptr) {
    const auto waited = std::chrono::steady_clock::now() - begin;
    *failure = DescribeRuntimeInUse(hanging_, num_in_handlers, waited);
  }
  return Status::kTimeout;
}

}  // namespace backplane
