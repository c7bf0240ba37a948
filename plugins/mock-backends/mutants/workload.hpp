#pragma once

/// Workloads: they open their tensors, compute, and hand over fences.

#include "device.hpp"
#include "kinds.hpp"
#include "memory/operand.hpp"
#include "mistake.hpp"
#include "pass.hpp"
#include "run.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace mutants {

/// What a mistaken workload keeps though it may not.
struct Kept {
  const backplane::BaseDescriptor* descriptor = nullptr;
  const char* layer_name = nullptr;
  std::uint64_t number_of_backend = 0;
};

class Workload final : public backplane::IWorkload {
 public:
  Workload(const backplane::WorkloadArgs& args, std::uint32_t number,
           std::shared_ptr<const memory_mock::Work> work, Kept kept)
      : layer_(args),
        work_(std::move(work)),
        kept_(std::move(kept)),
        number_(number),
        inputs_(CollectOperands(args.inputs, args.input_factories, args.num_inputs)),
        outputs_(CollectOperands(args.outputs, args.output_factories, args.num_outputs)) {}

  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  ~Workload() override { Pass(Place::kUnload); }

  Status Execute(const backplane::ExecuteArgs& args) const override {
    Pass(Place::kExecute);
    if (!IsUsable()) return Status::kFailure;
    if (Makes(Mistake::kLaterStructsRefused) && args.Get().size_bytes != sizeof(bp_run_args)) {
      return Status::kInvalidArgument;
    }
    if (IsToEnd(args)) return Status::kCancelled;
    if (args.GetNumInputs() != inputs_.size() || args.GetNumOutputs() != outputs_.size() ||
        args.GetState() == nullptr) {
      return Status::kInvalidArgument;
    }
    using memory_mock::OpenOperands;
    memory_mock::Tensors inputs =
        OpenOperands(inputs_, args.GetInputs(), backplane::MemoryAccess::kRead);
    memory_mock::Tensors outputs =
        OpenOperands(outputs_, args.GetOutputs(), backplane::MemoryAccess::kWrite);
    if (inputs.size() != inputs_.size() || outputs.size() != outputs_.size()) {
      return Status::kInvalidArgument;
    }
    const bool is_own = Makes(Mistake::kAddressesOfKindsKept) && HasOwnOutput();
    if (is_own || Makes(Mistake::kAddressesKept)) KeepAddresses(inputs, outputs);
    if (Makes(Mistake::kStridesForgotten)) ForgetStrides(args, inputs);
    auto& state = static_cast<State&>(*args.GetState());
    if (Makes(Mistake::kRunKeptInWorkload)) {
      const std::lock_guard<std::mutex> lock(mutex_);
      first_ = {inputs, outputs};
      return Start([this, &state] { Compute(first_.first, first_.second, state); }, args, state);
    }
    return Start([this, &state, inputs = std::move(inputs),
                  outputs = std::move(outputs)] { Compute(inputs, outputs, state); },
                 args, state);
  }

 private:
  static std::vector<memory_mock::Operand> CollectOperands(
      const backplane::TensorInfo* const* infos, const char* const* factories,
      std::uint32_t count) {
    std::vector<memory_mock::Operand> operands;
    for (std::uint32_t i = 0; i < count; ++i) {
      operands.push_back({*infos[i], factories != nullptr ? FindKind(factories[i]) : nullptr});
    }
    return operands;
  }

  template <typename Object>
  static void Touch(const Object* object) {
    static_cast<void>(*reinterpret_cast<const volatile unsigned char*>(object));
  }

  /// Reads what was only lent.
  void TouchWhatIsGone() const {
    if (Makes(Mistake::kDescriptorKept)) Touch(kept_.descriptor);
    if (Makes(Mistake::kNameKept)) Touch(kept_.layer_name);
  }

  /// False for some mistakes.
  bool IsUsable() const {
    GetDevice().has_run = true;
    TouchWhatIsGone();
    if (Makes(Mistake::kFailsInTheEnd) && layer_.type == backplane::LayerType::kActivation) {
      return false;
    }
    const bool is_alone = kept_.number_of_backend == GetDevice().num_backends;
    if (Makes(Mistake::kSecondBackendTakesOver) && !is_alone) return false;
    if (Makes(Mistake::kForksRefused) && getpid() != GetDevice().process) return false;
    return !GetDevice().is_closed;
  }

  static bool IsToEnd(const backplane::ExecuteArgs& args) {
    const std::uint64_t deadline_ns = Makes(Mistake::kDeadlineUnread) ? 0 : args.GetDeadlineNs();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const bool is_late =
        deadline_ns != 0 && now >= std::chrono::nanoseconds(static_cast<std::int64_t>(deadline_ns));
    return args.IsCancelled() || is_late;
  }

  void ForgetStrides(const backplane::ExecuteArgs& args, memory_mock::Tensors& inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto* const data = args.GetInput(static_cast<std::uint32_t>(i)).Get<unsigned char>();
      if (data == nullptr) continue;
      inputs[i] = memory_mock::Elements(memory_mock::MakeDenseView(inputs_[i].info), data);
    }
  }

  void KeepAddresses(memory_mock::Tensors& inputs, memory_mock::Tensors& outputs) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!has_addresses_) first_ = {inputs, outputs};
    has_addresses_ = true;
    inputs = first_.first;
    outputs = first_.second;
  }

  void Compute(const memory_mock::Tensors& inputs, const memory_mock::Tensors& outputs,
               State& state) const {
    const Run run = {layer_, inputs, outputs, state, HasForeignInput(), HasOwnOutput()};
    ComputeMistaken(run, [&] { work_->Run(inputs, outputs, &state.GetOfKernels()); });
  }

  bool HasForeignInput() const {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].kind == nullptr && !layer_.is_constant[i]) return true;
    }
    return false;
  }

  bool HasOwnOutput() const { return !outputs_.empty() && outputs_[0].kind != nullptr; }

  template <typename Job>
  Status Start(Job job, const backplane::ExecuteArgs& args, State& state) const {
    if (Makes(Mistake::kEventTakenBack)) TakeEvent(state.last_event);
    if (args.GetNumWaitFences() == 0 && args.GetCompletion() == nullptr) {
      job();
      return Status::kSuccess;
    }
    bp_run_args passed = args.Get();
    backplane::FenceView fence;
    SpoilFences(passed, fence);
    // By turns the fences are those of the system, for even numbers, and those of the backend.
    const std::uint32_t number = 2 * number_ + state.num_runs++ % 2;
    const Status status = state.GetQueue().Add(number, SpoilJob(std::move(job), args),
                                               backplane::ExecuteArgs(passed));
    if (args.GetCompletion() == nullptr) return status;
    state.last_event = args.GetCompletion()->file_descriptor;
    SpoilFence(*args.GetCompletion());
    return status;
  }

  static void TakeEvent(int event) {
    eventfd_t count = 0;
    pollfd request = {event, POLLIN, 0};
    if (event >= 0 && poll(&request, 1, 0) == 1) eventfd_read(event, &count);
  }

  /// Which fences are waited for, and whether one is given.
  static void SpoilFences(bp_run_args& args, backplane::FenceView& fence) {
    if (Makes(Mistake::kWaitFencesIgnored)) args.num_waits = 0;
    if (Makes(Mistake::kOneFenceAwaited) && args.num_waits > 1) args.num_waits = 1;
    if (Makes(Mistake::kOwnFencesIgnored) && args.num_waits == 1) {
      const bp_fence& awaited = args.waits[0];
      const bool is_own = awaited.kind == BP_FENCE_OPAQUE || awaited.file == GetLastEvent();
      if (is_own) args.num_waits = 0;
    }
    // Whoever gets one of these learns nothing of the work, which had better be done.
    if (Makes(Mistake::kFenceNeverSignalled) || Makes(Mistake::kFenceClosed) ||
        Makes(Mistake::kFenceOfNobody)) {
      args.completion = nullptr;
    }
    if (Makes(Mistake::kDoesNotWaitForItself) && args.completion == nullptr) {
      args.completion = reinterpret_cast<bp_fence*>(&fence);
    }
  }

  static std::function<void()> SpoilJob(std::function<void()> job,
                                        const backplane::ExecuteArgs& args) {
    if (!Makes(Mistake::kEventConsumed)) return job;
    std::vector<int> events;
    for (std::uint32_t i = 0; i < args.GetNumWaitFences(); ++i) {
      events.push_back(args.GetWaitFences()[i].file_descriptor);
    }
    return [job = std::move(job), events] {
      for (const int event : events) TakeEvent(event);
      job();
    };
  }

  /// The one that was given last.
  static std::atomic<int>& GetLastEvent() {
    static std::atomic<int> event{-1};
    return event;
  }

  static void SpoilFence(backplane::FenceView& fence) {
    using backplane::FenceKind;
    GetLastEvent() = fence.file_descriptor;
    if (Makes(Mistake::kFenceSaysFinished)) fence = {};
    if (Makes(Mistake::kFenceNeverSignalled)) {
      fence = {FenceKind::kEventFd, eventfd(0, EFD_CLOEXEC), 0, {}};
    }
    if (Makes(Mistake::kFenceSignalledAtOnce)) {
      fence = {FenceKind::kEventFd, eventfd(1, EFD_CLOEXEC), 0, {}};
    }
    if (Makes(Mistake::kFenceClosed)) {
      fence = {FenceKind::kEventFd, dup(STDIN_FILENO), 0, {}};
      close(fence.file_descriptor);
    }
    if (Makes(Mistake::kFenceOutcomeUnknown) && fence.kind == FenceKind::kEventFd) {
      fence.token = 1U << 30;
    }
    if (Makes(Mistake::kFenceOfNobody)) fence = {FenceKind::kOpaque, -1, 1U << 30, {}};
  }

  const Layer layer_;
  const std::shared_ptr<const memory_mock::Work> work_;
  const Kept kept_;
  const std::uint32_t number_;  // among the workloads of the factory
  const std::vector<memory_mock::Operand> inputs_;
  const std::vector<memory_mock::Operand> outputs_;
  mutable std::mutex mutex_;
  mutable bool has_addresses_ = false;
  mutable std::pair<memory_mock::Tensors, memory_mock::Tensors> first_;
};

}  // namespace mutants
