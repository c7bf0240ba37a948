#pragma once

#include "execution/binding_plan.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace backplane {

/// How one input or output was got in one working memory. Written by the thread that runs, read by
/// any.
class BindingCounter {
 public:
  void CountImport() { Add(imported_runs_, 1); }
  void CountCopy(std::uint64_t bytes, CopyReason reason) {
    Add(copied_runs_, 1);
    Add(copied_bytes_, bytes);
    reason_.store(reason, std::memory_order_relaxed);
  }

  /// Why the last copy was made.
  CopyReason GetReason() const { return reason_.load(std::memory_order_relaxed); }

  void AddTo(BindingTransfers& transfers) const;

 private:
  // There is one writer at a time.
  static void Add(std::atomic<std::uint64_t>& counter, std::uint64_t number) {
    counter.store(counter.load(std::memory_order_relaxed) + number, std::memory_order_relaxed);
  }

  std::atomic<std::uint64_t> imported_runs_{0};
  std::atomic<std::uint64_t> copied_runs_{0};
  std::atomic<std::uint64_t> copied_bytes_{0};
  std::atomic<CopyReason> reason_{CopyReason::kNone};
};

/// The counters of one working memory.
struct TransferCounters {
  TransferCounters(std::size_t num_inputs, std::size_t num_outputs)
      : inputs(num_inputs), outputs(num_outputs) {}

  std::vector<BindingCounter> inputs;
  std::vector<BindingCounter> outputs;
};

/// The counters of all working memories of one loaded network.
///
/// Threads: any.
class TransferLedger {
 public:
  /// Ownership: shared with the ledger, which sums up what is gone too.
  std::shared_ptr<TransferCounters> Open(std::size_t num_inputs, std::size_t num_outputs);

  /// Adds what was counted to a report that has the bindings of the network.
  void AddTo(TransferReport& report) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<TransferCounters>> opened_;
};

}  // namespace backplane
