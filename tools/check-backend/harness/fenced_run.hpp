#pragma once

/// Runs that wait for fences and hand over their own.

#include "harness/tensor_place.hpp"

#include <backplane/api/run_arguments.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace backplane::check_backend {

/// An event of the test, as a fence.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  FenceView GetFence() const { return {FenceKind::kEventFd, descriptor_, 0, {}}; }
  /// Once or more often.
  void Give() const;
  bool HasPassed() const;

 private:
  int descriptor_;
};

/// "kEventFd (file descriptor 7)".
std::string DescribeFence(const FenceView& fence);

/// What is wrong with a fence that a workload gave: its kind, its descriptor. "" when nothing is.
std::string FindFenceFault(const FenceView& fence);

/// Whether the work has finished, as a host finds out. Errors: std::runtime_error when it cannot.
bool HasFencePassed(IWorkloadFactory& factory, const FenceView& fence);

/// Waits for a fence as long as it takes. Errors: std::runtime_error when it cannot be waited for.
void AwaitFence(IWorkloadFactory& factory, const FenceView& fence);

/// Whether a run is asked for a fence, and which kinds are known to those who wait for it.
enum class Completion {
  kNotAsked,
  kAsked,        // the host waits
  kOfAnyKind,    // workloads of the same backend wait
  kOfOpenKinds,  // those of other backends too, so that opaque ones are not known
};

/// A run whose Execute goes on in a thread of its own, as it may wait by itself. Ended by the
/// destructor, which gives all events.
class FencedRun {
 public:
  /// All of them outlive it, and `tensors` also the state. `state`: null when the factory made
  /// none.
  FencedRun(IWorkloadFactory& factory, const IWorkload& workload, IExecutionState* state,
            const PlacedTensors& tensors, std::vector<const Event*> events, Completion completion);
  ~FencedRun();
  FencedRun(const FencedRun&) = delete;
  FencedRun& operator=(const FencedRun&) = delete;

  /// Gives it some time to do what it should not do yet.
  void Linger() const;
  bool HasReturned() const { return has_returned_.load(); }
  /// Why the run counts as finished: "Execute returned without a fence"; "" when it does not.
  std::string FindFinished() const;

  /// Waits until Execute has returned. What it threw leaves this.
  Status AwaitReturn();
  /// [after AwaitReturn]
  const FenceView& GetFence() const { return completion_; }
  /// Waits until Execute has returned, and some seconds for the fence; whether that has passed.
  bool AwaitEndForSeconds();
  /// Waits until Execute has returned and the fence has passed.
  Status AwaitEnd();

 private:
  void Run();

  IWorkloadFactory& factory_;
  const IWorkload& workload_;
  std::vector<const Event*> events_;
  std::vector<FenceView> waits_;
  FenceView completion_;
  RunArguments args_;
  Status status_ = Status::kFailure;
  std::exception_ptr thrown_;
  std::atomic<bool> has_returned_{false};
  bool has_ended_ = false;
  std::thread thread_;
};

}  // namespace backplane::check_backend
