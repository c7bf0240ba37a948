#pragma once

/// What one working memory needs on the device: a queue, scratch memory, kernels, fences.

#include "context/device_context.hpp"
#include "execution/event_signals.hpp"
#include "execution/fences.hpp"
#include "execution/job_thread.hpp"
#include "execution/work.hpp"
#include "execution/work_state.hpp"
#include "library/library.hpp"
#include "options/options.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace backplane {
namespace opencl {

/// The descriptors of other backends for which one execution state waits, as events for which
/// commands of the device wait. OpenCL 1.2 waits for none by itself, so a thread of this library
/// polls them.
///
/// Threads: one at a time.
class DescriptorEvents {
 public:
  explicit DescriptorEvents(const Library& library) : library_(library), thread_(library) {}

  /// Gives an event that completes when the descriptor is readable, and with it all descriptors
  /// that were given before; it fails when the descriptor can be polled no more. Null: there is
  /// nothing to wait for.
  /// Errors: kFailure for a descriptor that cannot be waited for; OpenClError; std::system_error.
  Status Make(cl_context context, int descriptor, Owned<cl_event>& event);

 private:
  const Library& library_;
  JobThread thread_;
};

class ExecutionState : public IExecutionState {
 public:
  /// Errors: OpenClError; std::runtime_error when scratch memory does not fit.
  ExecutionState(std::shared_ptr<DeviceContext> device,
                 const std::vector<std::shared_ptr<const Work>>& works,
                 std::shared_ptr<FactoryFences> fences, const Options& options);
  /// Waits for the work that is left.
  ~ExecutionState() noexcept override;

  DeviceContext& GetDevice() const { return *device_; }
  /// Of the work that was given at this position.
  WorkState& GetWork(std::size_t position) { return *works_[position]; }
  std::size_t GetWorkCount() const { return works_.size(); }

  /// The queue of this run; its commands are carried out in order. It measures while a timeline is
  /// on.
  /// Errors: OpenClError.
  cl_command_queue PrepareQueue();
  bool IsMeasuring() const { return is_measuring_; }

  /// Makes commands that are enqueued now come after the fences. Waits for none of them, and for
  /// commands not at all.
  /// Errors: kInvalidArgument or kFailure for a fence that cannot be waited for; OpenClError.
  Status ComeAfter(const FenceView* fences, std::uint32_t count);

  /// Hands over the event behind the last command of a workload, as an eventfd where those who wait
  /// know no opaque fences.
  FenceView GiveFence(std::uint32_t workload, Owned<cl_event> event, FenceKindFlags kinds);

  DeviceLane& GetLane() { return state_fences_->GetLane(); }

 private:
  bool IsOfThisQueue(const FenceView& fence) const;
  Status FindEvent(const FenceView& fence, Owned<cl_event>& event);

  std::shared_ptr<DeviceContext> device_;
  std::shared_ptr<FactoryFences> fences_;
  const bool is_profiling_;
  const QueuePriority priority_;
  bool is_measuring_ = false;
  std::shared_ptr<StateFences> state_fences_;
  std::uint32_t number_ = 0;
  Owned<cl_mem> memory_;
  Owned<cl_command_queue> queue_;
  std::vector<std::unique_ptr<WorkState>> works_;
  DescriptorEvents waited_for_;
  EventSignals given_;
};

}  // namespace opencl
}  // namespace backplane
