#pragma once

#include "execution/execution_plan.hpp"
#include "execution/memory_watch.hpp"
#include "execution/repeat_check.hpp"
#include "execution/scan_view.hpp"
#include "placement/optimized_network.hpp"

#include <backplane/host/thread_state.hpp>
#include <backplane/runtime/checks.hpp>
#include <backplane/runtime/tensor_observer.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace backplane::execution {

/// Tells findings apart: the name of a layer or backend, and which part of it.
using FindingKey = std::tuple<RunCheck, std::string, std::uint32_t>;

/// The findings of all runs of one loaded network, whatever plans they took. Each is logged when it
/// is found first.
///
/// Threads: any.
class CheckLedger {
 public:
  explicit CheckLedger(CheckFlags checks) { report_.checks = checks; }

  void CountRun();

  /// Counts one that is known; else false.
  bool Count(const FindingKey& key);
  /// When two threads add one at once, it is there once.
  void Add(const FindingKey& key, CheckFinding finding);

  /// A tensor whose numbers cannot be looked at, by a name of its own.
  bool IsUnchecked(const std::string& tensor) const;
  void AddUnchecked(const std::string& tensor, Diagnostic diagnostic);

  CheckReport GetReport() const;

 private:
  mutable std::mutex mutex_;
  std::map<FindingKey, std::size_t> findings_;
  std::set<std::string> unchecked_;
  CheckReport report_;
};

/// What a step made that is not finite, from inputs that are.
struct NonFiniteOutput {
  std::size_t step = 0;
  std::uint32_t output = 0;  // of the step
  NumberScan scan;
  std::vector<ValueRange> inputs;
};

/// The checks of one plan of a loaded network. Borrows what it is made from, the ledger too, which
/// is that of the whole network.
///
/// Threads: any.
class NetworkChecks {
 public:
  NetworkChecks(CheckFlags checks, const OptimizedNetwork& network, const ExecutionPlan& plan,
                CheckLedger& ledger, TensorObserver observer = {});

  bool IsOn(RunCheck check) const { return (checks_ & ToFlags(check)) != 0; }
  /// Whether a check needs to know what memory had in it before a step.
  bool LooksAtMemory() const;
  /// Empty: nobody observes.
  const TensorObserver& GetObserver() const { return observer_; }
  const ExecutionPlan& GetPlan() const { return plan_; }
  CheckLedger& GetLedger() const { return ledger_; }
  /// Makes the key by which findings in this part of a step are one.
  FindingKey MakeKey(RunCheck check, std::size_t step, std::uint32_t part) const;

  /// The range of a constant, which stays as it is.
  const ValueRange& GetConstant(std::uint32_t tensor) const { return constants_.at(tensor); }

  /// Whether the CPU may look at tensors.
  bool MayLook() const { return may_look_; }

  void AddNonFinite(const NonFiniteOutput& found);
  void AddForeignWrite(std::size_t step, const ChangedByte& changed);
  void AddLateWrite(std::size_t step, const ChangedByte& changed);
  void AddDifference(std::size_t step, const RepeatDifference& difference);
  /// An output of a step, without its data. Nothing: it is no tensor of the application's network.
  std::optional<ObservedTensor> DescribeOutput(std::size_t step, std::uint32_t output) const;
  /// Null: without `step`, beside all steps, where tensors are imported, copied or read.
  void AddChange(const PlannedStep* step, const ThreadStateChange& change);
  /// `why` is what kept it from being looked at.
  void AddUnchecked(std::size_t step, std::uint32_t tensor, const std::string& why);

 private:
  /// What a step did, without the words that all such findings have.
  struct Deed {
    RunCheck check;
    std::uint32_t part = 0;  // of the step; one finding for each
    DiagnosticCode code;
    std::string what;  // " wrote ..."
    std::string why;
    std::string fix;
  };
  void AddDeed(std::size_t step, Deed deed);
  std::string DescribePlace(std::size_t step, const ChangedByte& changed) const;
  const Layer& GetLayer(std::size_t step) const;
  std::string GetBackendId(const PlannedStep& step) const;
  CheckFinding MakeFinding(RunCheck check, const PlannedStep& step) const;
  std::string ExplainInputs(const NonFiniteOutput& found) const;
  std::string Explain(const NonFiniteOutput& found) const;
  std::string NameCompiled(const Layer& layer, const std::string& backend_id) const;

  const CheckFlags checks_;
  const OptimizedNetwork& network_;
  const OptimizedNetworkParts& parts_;
  const ExecutionPlan& plan_;
  const TensorObserver observer_;
  const bool may_look_;
  std::map<std::uint32_t, ValueRange> constants_;
  CheckLedger& ledger_;
};

}  // namespace backplane::execution
