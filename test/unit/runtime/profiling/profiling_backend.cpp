#include "profiling/profiling_backend.hpp"

#include <stdexcept>
#include <utility>

namespace backplane {

namespace {

using ProfilingBackendShared = std::shared_ptr<ProfilingBackend>;

bool Fails(const ProfilingBackend& backend, ProfilingPoint point) {
  const auto failure = backend.failures.find(point);
  if (failure == backend.failures.end()) return false;
  if (failure->second == FailureKind::kThrow) throw std::runtime_error("boom");
  if (failure->second == FailureKind::kThrowInt) throw 42;
  return true;
}

class TestProfilingContext final : public IBackendProfilingContext {
 public:
  TestProfilingContext(ProfilingBackendShared backend, const ProfilingContextArgs& args)
      : backend_(std::move(backend)) {
    backend_->sink = args.profiling;
    backend_->context = args.context;
  }
  ~TestProfilingContext() override {
    backend_->sink = nullptr;
    backend_->test->Record("~profiling context");
  }

  std::vector<CounterDescription> GetCounters() const override {
    if (Fails(*backend_, ProfilingPoint::kGetCounters)) return {};
    return backend_->counters;
  }

  Status ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                          std::uint32_t count) override {
    std::string text = "activate counters";
    for (std::uint32_t i = 0; i < count; ++i) text += " " + std::to_string(ids[i]);
    backend_->test->Record(text + " every " + std::to_string(period_us) + " us");
    return Fails(*backend_, ProfilingPoint::kActivateCounters) ? Status::kBusy : Status::kSuccess;
  }

  Status SetTimeline(ProfilingState state) override {
    backend_->test->Record(state == ProfilingState::kOn ? "timeline on" : "timeline off");
    return Fails(*backend_, ProfilingPoint::kSetTimeline) ? Status::kUnsupported : Status::kSuccess;
  }

 private:
  ProfilingBackendShared backend_;
};

/// The test backend with one function more.
class ProfilingBackendObject final : public IBackendInternal {
 public:
  ProfilingBackendObject(ProfilingBackendShared backend, std::unique_ptr<IBackendInternal> inner)
      : backend_(std::move(backend)), inner_(std::move(inner)) {}

  const char* GetId() const override { return inner_->GetId(); }
  std::unique_ptr<IWorkloadFactory> CreateWorkloadFactory(
      const WorkloadFactoryArgs& args) const override {
    return inner_->CreateWorkloadFactory(args);
  }
  std::unique_ptr<IBackendContext> CreateBackendContext(
      const BackendContextArgs& args) const override {
    return inner_->CreateBackendContext(args);
  }
  std::shared_ptr<const ILayerSupport> GetLayerSupport(
      const LayerSupportArgs& args) const override {
    return inner_->GetLayerSupport(args);
  }
  std::vector<OptionSchema> GetOptionSchemas() const override { return inner_->GetOptionSchemas(); }
  std::unique_ptr<IBackendProfilingContext> CreateBackendProfilingContext(
      const ProfilingContextArgs& args) const override {
    backend_->test->Record("create profiling context");
    if (Fails(*backend_, ProfilingPoint::kCreate)) return nullptr;
    if (!backend_->has_profiling_context) return nullptr;
    return std::make_unique<TestProfilingContext>(backend_, args);
  }

 private:
  ProfilingBackendShared backend_;
  std::unique_ptr<IBackendInternal> inner_;
};

}  // namespace

CounterDescription MakeCounter(std::uint32_t id, const std::string& name, const std::string& unit) {
  CounterDescription counter;
  counter.id = id;
  counter.name = name;
  counter.unit = unit;
  return counter;
}

BackendRegistration MakeRegistration(const ProfilingBackendShared& backend) {
  BackendRegistration registration = MakeRegistration(backend->test);
  registration.factory = [backend, inner = registration.factory] {
    return std::make_unique<ProfilingBackendObject>(backend, inner());
  };
  return registration;
}

}  // namespace backplane
