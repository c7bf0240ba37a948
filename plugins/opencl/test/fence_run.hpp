#pragma once

/// Runs of MakeRelu() that wait for fences and give one.

#include "test/opencl_case.hpp"

#include <poll.h>

#include <memory>
#include <vector>

namespace backplane {
namespace opencl_test {

/// Waits until a descriptor is readable; false when that lasts too long.
inline bool AwaitDescriptor(const FenceView& fence) {
  constexpr int kLongMs = 60'000;
  pollfd request{fence.file_descriptor, POLLIN, 0};
  return poll(&request, 1, kLongMs) == 1 && (request.revents & POLLIN) != 0;
}

/// A workload with its own state and tensors.
class FenceRun {
 public:
  FenceRun(IWorkloadFactory& factory, const TestLayer& layer)
      : workload_(MakeWorkload(factory, layer)),
        state_(factory.CreateExecutionState()),
        inputs_{MakeStored<float>(layer.inputs[0], {-1, 2, -3, 4})},
        outputs_{StoredTensor(layer.outputs[0])},
        from_(inputs_),
        to_(outputs_) {}

  /// `kinds`: those that whoever waits for the fence knows. `from`: whose output is read.
  FenceView Run(const std::vector<FenceView>& waited, FenceKindFlags kinds,
                const FenceRun* from = nullptr) {
    FenceView fence;
    EXPECT_EQ(Try(waited, kinds, from, &fence), Status::kSuccess);
    return fence;
  }

  Status Try(const std::vector<FenceView>& waited, FenceKindFlags kinds, const FenceRun* from,
             FenceView* fence) {
    const StoredHandles& inputs = from == nullptr ? from_ : from->to_;
    RunArguments args(inputs.Get(), to_.Get(), state_.get());
    args.SetWaitFences(waited.data(), static_cast<std::uint32_t>(waited.size()));
    args.SetCompletion(fence, kinds);
    return workload_->Execute(args.Show());
  }

  std::vector<float> GetOutput() const { return GetStored<float>(outputs_[0]); }

 private:
  std::unique_ptr<IWorkload> workload_;
  std::unique_ptr<IExecutionState> state_;
  std::vector<StoredTensor> inputs_;
  std::vector<StoredTensor> outputs_;
  StoredHandles from_;
  StoredHandles to_;
};

}  // namespace opencl_test
}  // namespace backplane
