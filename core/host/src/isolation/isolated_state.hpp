// The execution state of a backend in another process: the lane over which its workloads are
// handed.
#pragma once

#include "isolation/isolated_workload.hpp"
#include "isolation/remote_object.hpp"
#include "wire/lane.hpp"

#include <backplane/api/i_workload.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

namespace backplane::isolation {

class IsolatedHandle;

/// One lane of one process; of no use any more when that has ended.
///
/// Threads: one at a time, but for what says otherwise.
class IsolatedState final : public IExecutionState {
 public:
  IsolatedState(const RemoteObject& factory,
                const std::vector<std::shared_ptr<const RemoteWorkload>>& workloads);
  ~IsolatedState() override;

  /// Hands a workload over. Without a completion it returns when its work is done.
  /// Errors: kTimeout when the limit is reached. Without a completion, what the workload throws,
  /// and DiagnosticException with kWorkerEnded.
  Status Execute(const RemoteWorkload& workload, const ExecuteArgs& args);

  void SetLimit(WorkLimit* limit) { limit_ = limit; }
  FinishedWork Finish();

  /// The workload that runs there now. Null: none that is known. [any thread]
  const RemoteWorkload* FindRunning() const { return FindWorkload(lane_->running.load() - 1); }
  /// Wakes the thread that waits, which looks again. [any thread]
  void Wake() { wire::WakeWord(lane_->completed); }

 private:
  // One operand, as the other side has it now.
  struct Slot {
    const ITensorHandle* handle = nullptr;
    const bp_view* constant = nullptr;  // that was seen last
    MemoryView view;
    std::shared_ptr<SharedArea> area;  // so that its address is no other's meanwhile
    std::shared_ptr<SharedArea> copy;  // stands in for memory that only this process has
    std::uint64_t handle_epoch = 0;  // of a handle of the backend, when `handle` was seen to be one
    std::uint64_t handle_id = 0;
    std::uint64_t import_version = 0;
    std::uint64_t version = 0;  // of what was written last
  };
  struct Place {
    std::shared_ptr<const RemoteWorkload> workload;  // null: it was destroyed before
    std::size_t first_slot = 0;
  };
  struct Copied {
    const Slot* slot = nullptr;
    bool is_output = false;
  };

  Status ExecuteBound(const RemoteWorkload& workload, const ExecuteArgs& args);
  Status Prepare(const RemoteWorkload& workload, const ExecuteArgs& args);
  bool IsOwn(Slot& slot, const ITensorHandle* handle) const;
  void PrepareHandle(std::size_t index, IsolatedHandle& handle);
  void PrepareConstant(std::size_t index, const serving::ConstantPlace& place, const bp_view* view);
  Status PrepareMemory(std::size_t index, const MemoryView& view, bool is_output);
  Status Submit(std::uint32_t number);
  Status CopyBack();
  Status AwaitPending();
  /// Until all that was handed over is done or its process has ended; kTimeout: the limit was
  /// reached, and nothing works on.
  Status Await();
  /// Once the limit is reached.
  void Stop();
  /// False: the time is up.
  bool WaitFor(std::chrono::nanoseconds time);
  bool IsDone();
  /// Null: there is none of this number any more.
  const RemoteWorkload* FindWorkload(std::uint32_t number) const {
    return number < places_.size() ? places_[number].workload.get() : nullptr;
  }
  bool HasEnded() const { return worker_->HasEnded(); }

  std::shared_ptr<Worker> worker_;
  std::vector<Place> places_;  // by the numbers of the workloads
  std::vector<Slot> slots_;
  std::shared_ptr<SharedArea> area_;
  wire::LaneHeader* lane_ = nullptr;
  wire::LaneOperand* operands_ = nullptr;
  std::uint64_t id_ = 0;
  std::uint32_t submitted_ = 0;
  std::uint32_t done_ = 0;  // of those, as far as is known
  std::uint32_t run_ = 1;   // what is handed over between two calls of Finish; 0 stands for none
  std::uint64_t num_notices_ = 0;
  bool has_pending_ = false;    // since the last Finish, of which nobody has been told
  WorkLimit* limit_ = nullptr;  // null: there is none
  std::vector<Copied> copied_;
  wire::SpinLimit spin_;
};

}  // namespace backplane::isolation
