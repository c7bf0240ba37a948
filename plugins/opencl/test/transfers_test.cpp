// Copies between the kinds of the device, and memory of the host.

#include "memory/kinds.hpp"
#include "test/kinds_case.hpp"

namespace backplane {
namespace opencl_test {
namespace {

class Transfers : public KindsOfMemory {
 protected:
  /// Copies from one tensor to the other, each in a kind of memory.
  void Copy(const char* from_kind, ITensorHandle* from, const char* to_kind, ITensorHandle* to) {
    const auto factory = MakeFactory();
    const TensorInfo* info = &info_;
    const NoDescriptor descriptor;
    const ConstTensor* constant = nullptr;
    WorkloadArgs args;
    args.layer_type = LayerType::kCopy;
    args.layer_name = "copy";
    args.descriptor = &descriptor;
    args.inputs = &info;
    args.outputs = &info;
    args.num_inputs = 1;
    args.num_outputs = 1;
    args.constants = &constant;
    args.input_factories = &from_kind;
    args.output_factories = &to_kind;
    const auto workload = factory->CreateWorkload(args);
    const auto state = factory->CreateExecutionState();
    const RunArguments run({from}, {to}, state.get(), RunArguments::Handles::kAll);
    EXPECT_EQ(workload->Execute(run.Show()), Status::kSuccess);
  }
};

TEST_F(Transfers, BringATensorThroughAllKinds) {
  std::vector<StoredTensor> given = {MakeStored<float>(info_, {1, 2, 3, 4, 5})};
  std::vector<StoredTensor> taken = {StoredTensor(info_)};
  const StoredHandles from(given);
  const StoredHandles to(taken);
  const MemoryBlock block = Acquire(kDeviceFactoryId, 4096);
  const MemoryBlock mapped_block = Acquire(kHostVisibleFactoryId, 4096);
  const auto on_device = MakeHandle(kDeviceFactoryId);
  const auto mapped = MakeHandle(kHostVisibleFactoryId);
  ASSERT_EQ(on_device->Bind(block, 2048), Status::kSuccess);
  ASSERT_EQ(mapped->Bind(mapped_block, 1024), Status::kSuccess);
  const char* const host = kHostTensorHandleFactoryId;
  Copy(host, from.Get()[0], kDeviceFactoryId, on_device.get());
  Copy(kDeviceFactoryId, on_device.get(), kHostVisibleFactoryId, mapped.get());
  Copy(kHostVisibleFactoryId, mapped.get(), host, to.Get()[0]);
  EXPECT_EQ(taken[0].bytes, given[0].bytes);
  kinds_.managers.at(kDeviceFactoryId)->Release(block);
  kinds_.managers.at(kHostVisibleFactoryId)->Release(mapped_block);
}

TEST_F(Transfers, AskForMemoryThatIsBound) {
  const auto factory = MakeFactory();
  const TestLayer layer = MakeRelu();
  const auto workload = MakeWorkload(*factory, layer);
  const auto state = factory->CreateExecutionState();
  EXPECT_EQ(Execute(*workload, {nullptr}, {nullptr}, state.get()), Status::kInvalidArgument);
  EXPECT_EQ(Execute(*workload, {}, {}, state.get()), Status::kInvalidArgument);
  EXPECT_EQ(Execute(*workload, {nullptr}, {nullptr}, nullptr), Status::kInvalidArgument);
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
