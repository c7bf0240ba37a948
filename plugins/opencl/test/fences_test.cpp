// Work that has not finished when Execute returns.

#include "test/opencl_case.hpp"

namespace backplane {
namespace opencl_test {
namespace {

class Fences : public OpenClDevice {
 protected:
  void SetUp() override {
    OpenClDevice::SetUp();
    if (context_ != nullptr) factory_ = MakeFactory();
  }

  /// Runs the workload, with a fence when `completion` is not null.
  static Status Run(const IWorkload& workload, IExecutionState* state, const StoredHandles& from,
                    const StoredHandles& to, const FenceView* waited, FenceView* completion) {
    ExecuteArgs args;
    args.state = state;
    args.inputs = from.Get().data();
    args.outputs = to.Get().data();
    args.num_inputs = 1;
    args.num_outputs = 1;
    args.wait_fences = waited;
    args.num_wait_fences = waited == nullptr ? 0 : 1;
    args.completion = completion;
    return workload.Execute(args);
  }

  std::unique_ptr<IWorkloadFactory> factory_;
};

TEST_F(Fences, PassWhenTheResultIsThere) {
  const TestLayer layer = MakeRelu();
  const auto workload = MakeWorkload(*factory_, layer);
  const auto state = factory_->CreateExecutionState();
  std::vector<StoredTensor> inputs = {MakeStored<float>(layer.inputs[0], {-1, 2, -3, 4})};
  std::vector<StoredTensor> outputs = {StoredTensor(layer.outputs[0])};
  const StoredHandles from(inputs);
  const StoredHandles to(outputs);
  FenceView fence;
  ASSERT_EQ(Run(*workload, state.get(), from, to, nullptr, &fence), Status::kSuccess);
  ASSERT_EQ(fence.kind, FenceKind::kOpaque);
  ASSERT_EQ(factory_->WaitForFence(fence, UINT64_MAX), Status::kSuccess);
  EXPECT_EQ(GetStored<float>(outputs[0]), (std::vector<float>{0, 2, 0, 4}));
  EXPECT_EQ(factory_->WaitForFence(fence, 0), Status::kSuccess);
}

TEST_F(Fences, OrderTheWorkOfTwoQueues) {
  const TestLayer layer = MakeRelu();
  const auto workload = MakeWorkload(*factory_, layer);
  const auto first = factory_->CreateExecutionState();
  const auto second = factory_->CreateExecutionState();
  std::vector<StoredTensor> tensors[3] = {{MakeStored<float>(layer.inputs[0], {-1, 2, -3, 4})},
                                          {StoredTensor(layer.inputs[0])},
                                          {StoredTensor(layer.inputs[0])}};
  const StoredHandles a(tensors[0]);
  const StoredHandles b(tensors[1]);
  const StoredHandles c(tensors[2]);
  FenceView fences[2];
  ASSERT_EQ(Run(*workload, first.get(), a, b, nullptr, &fences[0]), Status::kSuccess);
  ASSERT_EQ(Run(*workload, second.get(), b, c, &fences[0], &fences[1]), Status::kSuccess);
  ASSERT_EQ(factory_->WaitForFence(fences[1], UINT64_MAX), Status::kSuccess);
  EXPECT_EQ(GetStored<float>(tensors[2][0]), (std::vector<float>{0, 2, 0, 4}));
}

TEST_F(Fences, OfOthersAreRefused) {
  const auto state = factory_->CreateExecutionState();
  FenceView fence;
  fence.kind = FenceKind::kOpaque;
  fence.token = 12345;
  EXPECT_EQ(factory_->WaitForFence(fence, 0), Status::kInvalidArgument);
  fence.token = (std::uint64_t{1} << 32) + 7;
  EXPECT_EQ(factory_->WaitForFence(fence, 0), Status::kInvalidArgument);
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
