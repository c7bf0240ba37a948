#pragma once

#include "execution/binding_plan.hpp"

#include <backplane/runtime/run_tensors.hpp>

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
  void AddTo(BindingCounter& total) const;

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

/// Stands for an input or output of a stage that is none of the whole network.
constexpr std::uint32_t kBetweenStages = 0xFFFFFFFF;

/// For each input and output of a stage, which one of the whole network it is.
struct BindingPlaces {
  std::vector<std::uint32_t> inputs;
  std::vector<std::uint32_t> outputs;
};

/// The counters of one working memory.
struct TransferCounters {
  explicit TransferCounters(BindingPlaces of_stage);

  const BindingPlaces places;
  std::vector<BindingCounter> inputs;
  std::vector<BindingCounter> outputs;
};

/// How the runs of one loaded network have got its inputs and outputs, in all plans that there are
/// and that there were.
///
/// Threads: any.
class TransferLedger {
 public:
  TransferLedger(const std::vector<NetworkBinding>& inputs,
                 const std::vector<NetworkBinding>& outputs);

  /// Adds what was counted to what is gone, and deletes the counters.
  struct Close {
    TransferLedger* ledger;
    void operator()(TransferCounters* counters) const noexcept;
  };
  using Opened = std::unique_ptr<TransferCounters, Close>;

  /// Lifetime: the ledger must outlive what it gives.
  Opened Open(const BindingPlaces& places);

  /// Counts an input that was copied before the first stage, or an output after the last.
  void CountCopy(BindingKind kind, LayerBindingId binding, std::uint64_t size_bytes,
                 CopyReason reason);

  TransferReport GetReport() const;

 private:
  mutable std::mutex mutex_;
  const TransferReport none_;  // of all bindings
  TransferCounters gone_;
  std::vector<const TransferCounters*> opened_;
};

}  // namespace backplane
