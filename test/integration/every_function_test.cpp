/// Calls every function of every interface that a backend implements, on a backend loaded from a
/// file, through the wrapper through which the core calls.

#include "compiled_keeper.hpp"
#include "mock_rows.hpp"

#include <backplane/api/run_arguments.hpp>
#include <backplane/host/dynamic_backend.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace backplane::test {
namespace {

using ::testing::ElementsAre;

const TensorInfo kInfo({2, 3}, DataType::kFloat32);

class Logger final : public ILogger {
 public:
  bool IsEnabled(LogLevel /*level*/) const override { return false; }
  Status Log(LogLevel /*level*/, const char* /*message*/) override { return Status::kSuccess; }
};

class FactoryRecorder final : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    factories.push_back(std::move(factory));
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> manager) override {
    managers.push_back(std::move(manager));
    return Status::kSuccess;
  }

  std::vector<std::unique_ptr<ITensorHandleFactory>> factories;
  std::vector<std::shared_ptr<IMemoryManager>> managers;
};

class Profiling final : public IBackendProfiling {
 public:
  Status ReportTimelineEvent(const TimelineEvent& event) override {
    events.push_back(event.name);
    return Status::kSuccess;
  }
  Status ReportCounterSamples(const CounterSample* /*samples*/, std::uint32_t /*count*/) override {
    return Status::kSuccess;
  }

  std::vector<std::string> events;
};

class DesignNoteEveryFunction : public ::testing::Test {
 protected:
  template <typename Interface>
  PluginObject<Interface> Wrap(std::unique_ptr<Interface> object) const {
    return {std::move(object), backend_.GetOrigin()};
  }

  FactoryRecorder Register() const {
    FactoryRecorder recorder;
    auto result = backend_.Call<&IBackendInternal::RegisterTensorHandleFactories>(
        recorder, BackendCallArgs{});
    EXPECT_FALSE(result.HasFailed());
    EXPECT_EQ(recorder.managers.size(), 1U);
    EXPECT_EQ(recorder.factories.size(), 1U);
    return recorder;
  }

  PluginObject<ITensorHandleFactory> MakeHandleFactory() const {
    return Wrap(std::move(Register().factories.at(0)));
  }

  PluginObject<IMemoryManager> MakeMemoryManager() const {
    return {Register().managers.at(0), backend_.GetOrigin()};
  }

  PluginObject<ITensorHandle> MakeHandle(const PluginObject<ITensorHandleFactory>& factory) {
    TensorHandleArgs args;
    args.info = &kInfo;
    return Wrap(std::move(factory.Call<&ITensorHandleFactory::CreateTensorHandle>(args).value));
  }

  PluginObject<IWorkloadFactory> MakeWorkloadFactory() {
    WorkloadFactoryArgs args;
    args.options = &options_;
    args.logger = &logger_;
    return Wrap(std::move(backend_.Call<&IBackendInternal::CreateWorkloadFactory>(args).value));
  }

  std::shared_ptr<DynamicBackend> library_ = DynamicBackend::Open(GetMockRow("Complete").path);
  PluginObject<IBackendInternal> backend_ = library_->CreateBackend();
  BackendOptions options_{"MockComplete", {}};
  Logger logger_;
};

TEST_F(DesignNoteEveryFunction, T09_TheBackendDescribesItself) {
  EXPECT_STREQ(backend_.Call<&IBackendInternal::GetId>().value, "MockComplete");
  const auto capabilities = backend_.Call<&IBackendInternal::GetCapabilities>().value;
  ASSERT_EQ(capabilities.size(), 2U);
  EXPECT_EQ(capabilities[0].name, kCapabilityRank);
  EXPECT_TRUE(capabilities[0].value == OptionValue(-5));
  const auto schemas = backend_.Call<&IBackendInternal::GetOptionSchemas>().value;
  ASSERT_EQ(schemas.size(), 1U);
  EXPECT_EQ(schemas[0].name, "threads");
  EXPECT_THAT(
      backend_.Call<&IBackendInternal::GetHandleFactoryPreferences>(BackendCallArgs{}).value,
      ElementsAre("Mock/Complete/Plain"));
}

TEST_F(DesignNoteEveryFunction, T09_LayerSupportAnswersWithAReason) {
  const auto support = PluginObject<const ILayerSupport>(
      backend_.Call<&IBackendInternal::GetLayerSupport>(LayerSupportArgs()).value,
      backend_.GetOrigin());
  const NoDescriptor descriptor;
  LayerSupportQuery query;
  query.descriptor = &descriptor;
  query.layer_type = LayerType::kReshape;
  std::string reason;
  EXPECT_TRUE(support.Call<&ILayerSupport::IsLayerSupported>(query, reason).value);
  query.layer_type = LayerType::kSoftmax;
  EXPECT_FALSE(support.Call<&ILayerSupport::IsLayerSupported>(query, reason).value);
  EXPECT_EQ(reason, "only Reshape is supported by this mock");
}

TEST_F(DesignNoteEveryFunction, T09_MemoryIsAllocatedAndFreed) {
  const PluginObject<IMemoryManager> manager = MakeMemoryManager();
  MemoryBlock block;
  EXPECT_EQ(manager.Call<&IMemoryManager::Acquire>(MemoryRequirements{64, 8, {}}, &block).value,
            Status::kSuccess);
  EXPECT_NE(block.data, nullptr);
  EXPECT_FALSE(manager.Call<&IMemoryManager::Release>(block).HasFailed());
}

TEST_F(DesignNoteEveryFunction, T09_HandleFactoriesMakeHandles) {
  const PluginObject<ITensorHandleFactory> factory = MakeHandleFactory();
  EXPECT_STREQ(factory.Call<&ITensorHandleFactory::GetId>().value, "Mock/Complete/Plain");
  TensorHandleFactoryProperties properties;
  EXPECT_EQ(factory.Call<&ITensorHandleFactory::GetProperties>(&properties).value,
            Status::kSuccess);
  EXPECT_EQ(properties.supports_map_unmap, 1U);
  TensorRequirementsArgs requirements;
  requirements.info = &kInfo;
  EXPECT_EQ(factory.Call<&ITensorHandleFactory::GetRequirements>(requirements).value.size_bytes,
            24U);
  const PluginObject<ITensorHandle> handle = MakeHandle(factory);
  EXPECT_TRUE(static_cast<bool>(handle));
  SubTensorHandleArgs part;
  part.parent = handle.Share().get();
  part.info = &kInfo;
  EXPECT_EQ(factory.Call<&ITensorHandleFactory::CreateSubTensorHandle>(part).value, nullptr);
}

TEST_F(DesignNoteEveryFunction, T09_HandlesBindMapImportAndExport) {
  const PluginObject<ITensorHandle> handle = MakeHandle(MakeHandleFactory());
  EXPECT_EQ(handle.Call<&ITensorHandle::GetMemoryView>().value, nullptr);

  std::array<float, 8> memory{};
  MemoryBlock block;
  block.data = memory.data();
  block.size_bytes = sizeof(memory);
  EXPECT_EQ(handle.Call<&ITensorHandle::Bind>(block, 16U).value, Status::kInvalidArgument);
  EXPECT_EQ(handle.Call<&ITensorHandle::Bind>(block, 8U).value, Status::kSuccess);
  EXPECT_EQ(handle.Call<&ITensorHandle::GetMemoryView>().value->data, &memory[2]);

  MemoryView view;
  EXPECT_EQ(handle.Call<&ITensorHandle::Map>(MemoryAccess::kRead, &view).value, Status::kSuccess);
  EXPECT_EQ(view.strides_bytes[0], 12);
  EXPECT_EQ(handle.Call<&ITensorHandle::Unmap>().value, Status::kSuccess);

  EXPECT_EQ(handle.Call<&ITensorHandle::Export>(MemorySource::kMalloc, &view).value,
            Status::kSuccess);
  EXPECT_EQ(handle.Call<&ITensorHandle::Export>(MemorySource::kDmaBuf, &view).value,
            Status::kUnsupported);
  view.data = memory.data();
  EXPECT_EQ(handle.Call<&ITensorHandle::Import>(view).value, Status::kSuccess);
  EXPECT_EQ(handle.Call<&ITensorHandle::GetMemoryView>().value->data, memory.data());
  EXPECT_EQ(handle.Call<&ITensorHandle::Unimport>().value, Status::kSuccess);
  EXPECT_EQ(handle.Call<&ITensorHandle::GetMemoryView>().value->data, &memory[2]);
}

TEST_F(DesignNoteEveryFunction, T09_WorkloadsRunWithStateAndFence) {
  const PluginObject<IWorkloadFactory> factory = MakeWorkloadFactory();
  WorkloadArgs args;
  args.layer_type = LayerType::kReshape;
  const auto workload =
      Wrap(std::move(factory.Call<&IWorkloadFactory::CreateWorkload>(args).value));
  const auto state = factory.Call<&IWorkloadFactory::CreateExecutionState>();

  std::array<float, 12> memory{1, 2, 3, 4, 5, 6};
  MemoryBlock block;
  block.data = memory.data();
  block.size_bytes = sizeof(memory);
  const PluginObject<ITensorHandleFactory> handles = MakeHandleFactory();
  const PluginObject<ITensorHandle> input = MakeHandle(handles);
  const PluginObject<ITensorHandle> output = MakeHandle(handles);
  ASSERT_EQ(input.Call<&ITensorHandle::Bind>(block, 0U).value, Status::kSuccess);
  ASSERT_EQ(output.Call<&ITensorHandle::Bind>(block, 24U).value, Status::kSuccess);

  FenceView fence;
  RunArguments run({input.Share().get()}, {output.Share().get()}, state.value.get());
  run.SetCompletion(&fence);
  EXPECT_EQ(workload.Call<&IWorkload::Execute>(run.Show()).value, Status::kSuccess);
  EXPECT_EQ(factory.Call<&IWorkloadFactory::WaitForFence>(fence, 1000U).value, Status::kSuccess);
  EXPECT_EQ(factory.Call<&IWorkloadFactory::GetConstantBytes>().value, 48U);
  EXPECT_THAT(memory, ElementsAre(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6));
}

TEST_F(DesignNoteEveryFunction, T09_ContextsHearOfNetworks) {
  BackendContextArgs args;
  args.options = &options_;
  args.logger = &logger_;
  const auto context =
      Wrap(std::move(backend_.Call<&IBackendInternal::CreateBackendContext>(args).value));
  NetworkEvent event;
  event.network_id = 2;
  const auto tell = [&](NetworkEventKind kind) {
    event.kind = kind;
    return context.Call<&IBackendContext::OnNetworkEvent>(event).value;
  };
  EXPECT_EQ(tell(NetworkEventKind::kBeforeLoad), Status::kSuccess);
  EXPECT_EQ(tell(NetworkEventKind::kAfterLoad), Status::kSuccess);
  EXPECT_EQ(tell(NetworkEventKind::kBeforeUnload), Status::kSuccess);
  event.outcome = Status::kFailure;
  EXPECT_EQ(tell(NetworkEventKind::kAfterUnload), Status::kFailure);
  event.network_id = 1'000'003;
  EXPECT_EQ(tell(NetworkEventKind::kBeforeLoad), Status::kBusy);

  ModelContextArgs model;
  model.options = &options_;
  model.logger = &logger_;
  EXPECT_NE(backend_.Call<&IBackendInternal::CreateBackendSpecificModelContext>(model).value,
            nullptr);
}

TEST_F(DesignNoteEveryFunction, T09_ProfilingCountsAndReports) {
  Profiling profiling;
  ProfilingContextArgs args;
  args.profiling = &profiling;
  const auto context =
      Wrap(std::move(backend_.Call<&IBackendInternal::CreateBackendProfilingContext>(args).value));
  const auto counters = context.Call<&IBackendProfilingContext::GetCounters>().value;
  ASSERT_EQ(counters.size(), 1U);
  const std::uint32_t known = counters[0].id;
  const std::uint32_t unknown = known + 1;
  EXPECT_EQ(context.Call<&IBackendProfilingContext::ActivateCounters>(100U, &known, 1U).value,
            Status::kSuccess);
  EXPECT_EQ(context.Call<&IBackendProfilingContext::ActivateCounters>(100U, &unknown, 1U).value,
            Status::kNotFound);
  EXPECT_EQ(context.Call<&IBackendProfilingContext::SetTimeline>(ProfilingState::kOn).value,
            Status::kSuccess);
  EXPECT_THAT(profiling.events, ElementsAre("timeline on"));
}

TEST_F(DesignNoteEveryFunction, T09_SubgraphsAreOptimised) {
  SubgraphView subgraph;
  subgraph.layers = {4, 5};
  OptimizeSubgraphArgs args;
  args.subgraph = &subgraph;
  const TensorInfo tensor({2, 3}, DataType::kFloat32);
  CompiledKeeper keeper(tensor);
  args.reader = &keeper;
  args.builder = &keeper;
  args.options = &options_;
  args.logger = &logger_;
  const auto views = backend_.Call<&IBackendInternal::OptimizeSubgraphView>(args).value;
  ASSERT_EQ(views.failed.size(), 1U);
  EXPECT_THAT(views.failed[0].layers, ElementsAre(4U, 5U));
}

}  // namespace
}  // namespace backplane::test
