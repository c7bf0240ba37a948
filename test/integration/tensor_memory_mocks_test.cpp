/// The mocks with kinds of tensor memory, before anything of the core relies on them: that they
/// refuse what the contract of handles does not allow, and that only fences order their work.

#include "conformance/test_layer.hpp"
#include "mock_rows.hpp"

#include <backplane/api/run_arguments.hpp>
#include <backplane/host/backend_registry.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <map>

namespace backplane::test {
namespace {

using ::testing::Each;

const TensorInfo kTensor({4}, DataType::kFloat32);

/// A tensor of the application.
struct PlainTensor final : conformance::MemoryHandle {
  explicit PlainTensor(float value) : MemoryHandle(kTensor, values.data()) {
    values.fill(value);
    view.alignment_bytes = 64;
  }

  alignas(64) std::array<float, 4> values;
};

/// What a backend registers.
class Kinds final : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    const std::string id = factory->GetId();
    managers[id] = last_manager_;
    factories[id] = std::move(factory);
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> manager) override {
    last_manager_ = std::move(manager);
    return Status::kSuccess;
  }

  std::map<std::string, std::shared_ptr<IMemoryManager>> managers;
  std::map<std::string, std::unique_ptr<ITensorHandleFactory>> factories;

 private:
  std::shared_ptr<IMemoryManager> last_manager_;
};

class TensorMemoryMock : public ::testing::Test {
 protected:
  void Load(const std::string& row) {
    LoadFolders({GetMockRow(row).folder}, registry_);
    backend_ = registry_.CreateBackend(GetMockRow(row).id).Share();
    const BackendOptions options;
    WorkloadFactoryArgs factory_args;
    factory_args.options = &options;
    workloads_ = backend_->CreateWorkloadFactory(factory_args);
    BackendCallArgs args;
    args.options = &options;
    backend_->RegisterTensorHandleFactories(kinds_, args);
  }

  std::unique_ptr<ITensorHandle> MakeHandle(const std::string& kind) {
    TensorHandleArgs args;
    args.info = &kTensor;
    return kinds_.factories.at(kind)->CreateTensorHandle(args);
  }

  std::unique_ptr<IWorkload> MakeWorkload(LayerType type, const char* input, const char* output) {
    const TensorInfo* info = &kTensor;
    const NoDescriptor none;
    const ActivationDescriptor relu;
    WorkloadArgs args;
    args.layer_type = type;
    args.descriptor = type == LayerType::kCopy ? static_cast<const BaseDescriptor*>(&none) : &relu;
    args.inputs = args.outputs = &info;
    args.num_inputs = args.num_outputs = 1;
    args.input_factories = &input;
    args.output_factories = &output;
    return workloads_->CreateWorkload(args);
  }

  static Status Run(const IWorkload& workload, ITensorHandle& input, ITensorHandle& output) {
    return workload.Execute(RunArguments({&input}, {&output}).Show());
  }

  /// Hands the work to `state`. Null: `after` without a fence to wait for.
  FenceView Start(const IWorkload& workload, ITensorHandle& input, ITensorHandle& output,
                  IExecutionState& state, const FenceView* after) {
    FenceView fence;
    RunArguments args({&input}, {&output}, &state);
    args.SetWaitFences(after, after != nullptr ? 1 : 0);
    args.SetCompletion(&fence);
    EXPECT_EQ(workload.Execute(args.Show()), Status::kSuccess);
    return fence;
  }

  BackendRegistry registry_;
  std::shared_ptr<IBackendInternal> backend_;
  Kinds kinds_;
  std::unique_ptr<IWorkloadFactory> workloads_;
};

TEST_F(TensorMemoryMock, DeviceMemoryIsReachedByNobodyElse) {
  Load("Discrete");
  const auto handle = MakeHandle("Mock/Discrete/Fast");
  const auto manager = kinds_.managers.at("Mock/Discrete/Fast");
  MemoryBlock block;
  ASSERT_EQ(manager->Acquire({64, 64, {}}, &block), Status::kSuccess);
  EXPECT_EQ(block.data, nullptr);
  EXPECT_EQ(handle->Bind(block, 56), Status::kInvalidArgument) << "beyond the end of the block";
  EXPECT_EQ(handle->Bind(block, 4), Status::kInvalidArgument) << "not aligned";
  ASSERT_EQ(handle->Bind(block, 16), Status::kSuccess);
  ASSERT_NE(handle->GetMemoryView(), nullptr);
  EXPECT_EQ(handle->GetMemoryView()->data, nullptr);
  MemoryView view;
  EXPECT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kUnsupported);
  EXPECT_EQ(handle->Export(MemorySource::kMalloc, &view), Status::kUnsupported);
  EXPECT_EQ(handle->Import(*PlainTensor(1).GetMemoryView()), Status::kUnsupported);
  manager->Release(block);
}

TEST_F(TensorMemoryMock, OpaqueMemoryIsCopiedThereAndBack) {
  Load("Compressed");
  constexpr char kPacked[] = "Mock/Compressed/Packed";
  const auto handle = MakeHandle(kPacked);
  MemoryBlock block;
  ASSERT_EQ(kinds_.managers.at(kPacked)->Acquire({80, 64, {}}, &block), Status::kSuccess);
  ASSERT_EQ(handle->Bind(block, 0), Status::kSuccess);
  EXPECT_EQ(handle->GetMemoryView(), nullptr);
  PlainTensor from(3);
  PlainTensor to(0);
  const auto there = MakeWorkload(LayerType::kCopy, "", kPacked);
  const auto back = MakeWorkload(LayerType::kCopy, kPacked, "");
  ASSERT_EQ(Run(*there, from, *handle), Status::kSuccess);
  ASSERT_EQ(Run(*back, *handle, to), Status::kSuccess);
  EXPECT_THAT(to.values, Each(3.0F));
  EXPECT_EQ(Run(*back, from, to), Status::kInvalidArgument) << "not the backend's own handle";
  kinds_.managers.at(kPacked)->Release(block);
}

TEST_F(TensorMemoryMock, HandlesAreMappedAndImportedOnlyAsTheContractSays) {
  Load("UnifiedB");
  const auto handle = MakeHandle("Mock/UnifiedB/Shared");
  MemoryView view;
  EXPECT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument) << "not bound";
  EXPECT_EQ(handle->Unimport(), Status::kInvalidArgument) << "nothing imported";
  PlainTensor memory(0);
  view = *memory.GetMemoryView();
  view.data = memory.values.data() + 1;
  EXPECT_EQ(handle->Import(view), Status::kInvalidArgument) << "not aligned";
  view = *memory.GetMemoryView();
  view.access = MemoryAccess::kRead;
  ASSERT_EQ(handle->Import(view), Status::kSuccess);
  EXPECT_EQ(handle->Map(MemoryAccess::kWrite, &view), Status::kInvalidArgument) << "read-only";
  ASSERT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kSuccess);
  EXPECT_EQ(handle->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument) << "mapped twice";
  EXPECT_EQ(handle->Unimport(), Status::kInvalidArgument) << "still mapped";
  EXPECT_EQ(handle->Unmap(), Status::kSuccess);
  EXPECT_EQ(handle->Unimport(), Status::kSuccess);
}

// The first job cannot run before the second one has: it comes after an event that is set then.
TEST_F(TensorMemoryMock, WorkRunsInTheOrderOfFencesAloneNotOfCalls) {
  Load("Async");
  const auto first = MakeWorkload(LayerType::kActivation, "", "");
  const auto second = MakeWorkload(LayerType::kActivation, "", "");
  const auto state = workloads_->CreateExecutionState();
  for (const bool has_fence : {false, true}) {
    PlainTensor input(5);
    PlainTensor between(0);
    PlainTensor output(0);
    const int event = eventfd(0, EFD_CLOEXEC);
    const FenceView gate{FenceKind::kEventFd, event, 0, 0, {}};
    const FenceView done = Start(*first, input, between, *state, &gate);
    EXPECT_EQ(done.kind, FenceKind::kEventFd);
    const FenceView end = Start(*second, between, output, *state, has_fence ? &done : nullptr);
    EXPECT_EQ(end.kind, FenceKind::kOpaque);
    if (has_fence) {
      EXPECT_EQ(workloads_->WaitForFence(end, 1'000'000), Status::kTimeout);
      eventfd_write(event, 1);
    }
    EXPECT_EQ(workloads_->WaitForFence(end, UINT64_MAX), Status::kSuccess);
    EXPECT_THAT(output.values, Each(has_fence ? 5.0F : 0.0F));
    eventfd_write(event, 1);
    pollfd request{done.file_descriptor, POLLIN, 0};
    EXPECT_EQ(poll(&request, 1, -1), 1);
    // The thread sanitizer takes readv for synchronisation, not poll.
    const iovec nothing{};
    EXPECT_EQ(readv(done.file_descriptor, &nothing, 0), 0);
    close(event);
  }
}

TEST_F(TensorMemoryMock, TheEndOfAStateFinishesItsWork) {
  Load("Async");
  const auto workload = MakeWorkload(LayerType::kActivation, "", "");
  PlainTensor input(5);
  PlainTensor output(0);
  Start(*workload, input, output, *workloads_->CreateExecutionState(), nullptr);
  EXPECT_THAT(output.values, Each(5.0F));
}

TEST_F(TensorMemoryMock, AFenceOfNobodyIsRefused) {
  Load("Async");
  const FenceView unknown{FenceKind::kOpaque, -1, 7, 0, {}};
  EXPECT_EQ(workloads_->WaitForFence(unknown, 0), Status::kInvalidArgument);
}

}  // namespace
}  // namespace backplane::test
