#include "test_backend.hpp"

#include <backplane/host/logging.hpp>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace backplane {

namespace {

using TestBackendShared = std::shared_ptr<TestBackend>;

/// Adds its inputs element by element, or 1 to its only input. A compiled one adds its value to the
/// first. Tensors are float32.
class TestWorkload final : public IWorkload {
 public:
  TestWorkload(TestBackendShared test, const WorkloadArgs& args)
      : test_(std::move(test)), compiled_(args.pre_compiled) {}
  ~TestWorkload() override { test_->Record("~workload"); }

  Status Execute(const ExecuteArgs& args) const override {
    if (test_->on_execute) test_->on_execute(args);
    if (test_->Fails(CallPoint::kExecute)) return Status::kTimeout;
    if (test_->execute) return test_->execute(args);
    const RunTensor output = args.GetOutput(0);
    auto* results = output.Get<float>();
    const std::uint32_t num_read = compiled_ ? 1 : args.GetNumInputs();
    for (std::uint64_t i = 0; i < output.GetView()->num_bytes / sizeof(float); ++i) {
      float sum = GetAdded(args);
      for (std::uint32_t input = 0; input < num_read; ++input) {
        sum += args.GetInput(input).Get<float>()[i];
      }
      results[i] = sum;
    }
    return Status::kSuccess;
  }

 private:
  float GetAdded(const ExecuteArgs& args) const {
    if (compiled_) return static_cast<const TestCompiled&>(*compiled_).GetValue();
    return args.GetNumInputs() == 1 ? 1.0F : 0.0F;
  }

  TestBackendShared test_;
  std::shared_ptr<const IPreCompiledObject> compiled_;
};

class TestState final : public IExecutionState {
 public:
  explicit TestState(TestBackendShared test) : test_(std::move(test)) {}
  ~TestState() override { test_->Record("~state"); }

 private:
  TestBackendShared test_;
};

class TestMemoryManager final : public IMemoryManager {
 public:
  explicit TestMemoryManager(TestBackendShared test) : test_(std::move(test)) {}

  Status Acquire(const MemoryRequirements& requirements, MemoryBlock* block) override {
    if (test_->Fails(CallPoint::kAcquire)) return Status::kOutOfMemory;
    test_->Record("acquire");
    const std::uint64_t alignment = requirements.alignment_bytes;
    block->size_bytes = (requirements.size_bytes + alignment - 1) / alignment * alignment;
    block->token = 7;
    if (test_->is_memory_addressable) {
      block->data = std::aligned_alloc(alignment, block->size_bytes);
    }
    return Status::kSuccess;
  }

  void Release(const MemoryBlock& block) override {
    test_->Record(block.token == 7 ? "release" : "release of another block");
    std::free(block.data);
    test_->Fails(CallPoint::kRelease);
  }

 private:
  TestBackendShared test_;
};

class TestWorkloadFactory final : public IWorkloadFactory {
 public:
  explicit TestWorkloadFactory(TestBackendShared test) : test_(std::move(test)) {}
  ~TestWorkloadFactory() override { test_->Record("~workload factory"); }

  std::unique_ptr<IWorkload> CreateWorkload(const WorkloadArgs& args) override {
    test_->Record("create workload");
    if (test_->on_create_workload) test_->on_create_workload(args);
    if (test_->Fails(CallPoint::kCreateWorkload)) return nullptr;
    return std::make_unique<TestWorkload>(test_, args);
  }

  std::unique_ptr<IExecutionState> CreateExecutionState() override {
    test_->Record("create state");
    if (test_->Fails(CallPoint::kCreateExecutionState)) return nullptr;
    return std::make_unique<TestState>(test_);
  }

  std::uint64_t GetConstantBytes() const override { return test_->constant_bytes; }

 private:
  TestBackendShared test_;
};

class TestLayerSupport final : public ILayerSupport {
 public:
  explicit TestLayerSupport(TestBackendShared test) : test_(std::move(test)) {}

  bool IsLayerSupported(const LayerSupportQuery& query, std::string& reason) const override {
    test_->Record(std::string("asked ") + query.layer_name);
    if (test_->Fails(CallPoint::kIsLayerSupported)) return false;
    return !test_->supports || test_->supports(query, reason);
  }

 private:
  TestBackendShared test_;
};

class TestContext final : public IBackendContext {
 public:
  explicit TestContext(TestBackendShared test) : test_(std::move(test)) {}
  ~TestContext() override { test_->Record("~context"); }

  Status OnNetworkEvent(const NetworkEvent& event) override {
    switch (event.kind) {
      case NetworkEventKind::kBeforeLoad:
        return Tell("before load", CallPoint::kBeforeLoad, event);
      case NetworkEventKind::kAfterLoad:
        return Tell(event.outcome == Status::kSuccess ? "after load" : "after failed load",
                    CallPoint::kAfterLoad, event);
      case NetworkEventKind::kBeforeUnload:
        return Tell("before unload", CallPoint::kBeforeUnload, event);
      case NetworkEventKind::kAfterUnload:
        return Tell("after unload", CallPoint::kAfterUnload, event);
    }
    return Status::kInvalidArgument;
  }

 private:
  Status Tell(const std::string& what, CallPoint point, const NetworkEvent& event) {
    test_->Record(what + " " + std::to_string(event.network_id));
    return test_->Fails(point) ? Status::kBusy : Status::kSuccess;
  }

  TestBackendShared test_;
};

class TestModelContext final : public IBackendModelContext {
 public:
  explicit TestModelContext(TestBackendShared test) : test_(std::move(test)) {}
  ~TestModelContext() override { test_->Record("~model context"); }

 private:
  TestBackendShared test_;
};

class TestBackendObject final : public IBackendInternal {
 public:
  explicit TestBackendObject(TestBackendShared test) : test_(std::move(test)) {}

  const char* GetId() const override { return test_->id.c_str(); }

  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    test_->Record("create workload factory");
    Pass("CreateWorkloadFactory", args.context);
    if (test_->Fails(CallPoint::kCreateWorkloadFactory)) return nullptr;
    return std::make_unique<TestWorkloadFactory>(test_);
  }

  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& args) const override {
    if (args.allocator && test_->allocator_refusal) {
      throw UnsupportedException(*test_->allocator_refusal);
    }
    test_->Record("create context with " + std::to_string(args.options->options.size()) +
                  " options");
    if (test_->on_create_context) test_->on_create_context(args);
    test_->Fails(CallPoint::kCreateBackendContext);
    if (!test_->has_context) return nullptr;
    auto context = std::make_unique<TestContext>(test_);
    Pass("CreateBackendContext", context.get());
    return context;
  }

  std::shared_ptr<const IBackendModelContext> CreateBackendSpecificModelContext(
      const ModelContextArgs& args) const override {
    test_->Record("create model context with " + std::to_string(args.options->options.size()) +
                  " options");
    Pass("CreateBackendSpecificModelContext", args.context);
    if (test_->Fails(CallPoint::kCreateModelContext)) return nullptr;
    return std::make_shared<TestModelContext>(test_);
  }

  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& args) const override {
    test_->Record("get layer support");
    Pass("GetLayerSupport", args.context);
    if (test_->Fails(CallPoint::kGetLayerSupport)) return nullptr;
    return std::make_shared<TestLayerSupport>(test_);
  }

  BackendCapabilities GetCapabilities() const override { return test_->GetCapabilities(); }

  OptimizationViews OptimizeSubgraphView(const OptimizeSubgraphArgs& args) const override {
    Pass("OptimizeSubgraphView", args.context);
    test_->Record("offered " + std::to_string(args.subgraph->layers.size()) + " layers");
    test_->Fails(CallPoint::kOptimizeSubgraphView);
    if (test_->optimize) return test_->optimize(args);
    return IBackendInternal::OptimizeSubgraphView(args);
  }

  std::vector<OptionSchema> GetOptionSchemas() const override {
    test_->Fails(CallPoint::kGetOptionSchemas);
    return test_->schemas;
  }

 private:
  void Pass(const std::string& function, const IBackendContext* context) const {
    if (test_->on_context_passed) test_->on_context_passed(function, context);
  }

  TestBackendShared test_;
};

}  // namespace

BackendCapabilities TestBackend::GetCapabilities() const {
  BackendCapabilities stated = capabilities;
  if (takes_allocators) stated.emplace_back(kCapabilityCustomAllocator, true);
  return stated;
}

std::vector<std::string> TestBackend::GetEvents() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return events_;
}

int TestBackend::CountEvents(const std::string& event) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return static_cast<int>(std::count(events_.begin(), events_.end(), event));
}

void TestBackend::Record(const std::string& event) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    events_.push_back(event);
  }
  if (on_event) on_event(event);
}

bool TestBackend::Fails(CallPoint point) const {
  const auto failure = failures.find(point);
  if (failure == failures.end()) return false;
  switch (failure->second) {
    case FailureKind::kThrow:
      throw std::runtime_error("boom");
    case FailureKind::kThrowInt:
      throw 42;
    case FailureKind::kThrowUnavailable:
      throw BackendUnavailableException("no device");
    case FailureKind::kThrowUnsupported:
      throw UnsupportedException("not here");
    case FailureKind::kRefuse:
      break;
  }
  return true;
}

PluginObject<IMemoryManager> MakeMemoryManager(const std::shared_ptr<TestBackend>& backend) {
  return {std::make_shared<TestMemoryManager>(backend), MakeRegistration(backend).origin};
}

BackendRegistration MakeRegistration(const std::shared_ptr<TestBackend>& backend) {
  BackendRegistration registration;
  registration.origin = std::make_shared<PluginOrigin>(PluginOrigin{
      backend->id, IBackendInternal::GetApiVersion(), nullptr, CreateBackendLogger(backend->id)});
  registration.factory = [backend]() -> std::unique_ptr<IBackendInternal> {
    backend->Record("create backend");
    if (backend->Fails(CallPoint::kBackendFactory)) return nullptr;
    return std::make_unique<TestBackendObject>(backend);
  };
  registration.source = "static";
  registration.capabilities = backend->GetCapabilities();
  return registration;
}

std::shared_ptr<BackendRegistry> MakeRegistry(
    const std::vector<std::shared_ptr<TestBackend>>& backends) {
  auto registry = std::make_shared<BackendRegistry>();
  for (const auto& backend : backends) registry->Register(MakeRegistration(backend));
  return registry;
}

}  // namespace backplane
