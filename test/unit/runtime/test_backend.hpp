#pragma once

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/backend_registry.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// The calls of a backend that a test can make fail.
enum class CallPoint {
  kBackendFactory,
  kGetOptionSchemas,
  kCreateBackendContext,
  kCreateModelContext,
  kGetLayerSupport,
  kIsLayerSupported,
  kAcquire,
  kRelease,
  kCreateWorkloadFactory,
  kCreateWorkload,
  kCreateExecutionState,
  kExecute,
  kOptimizeSubgraphView,
  kBeforeLoad,
  kAfterLoad,
  kBeforeUnload,
  kAfterUnload,
};

enum class FailureKind {
  kThrow,             // std::runtime_error("boom")
  kThrowInt,          // something that is no std::exception
  kThrowUnavailable,  // BackendUnavailableException("no device")
  kThrowUnsupported,  // UnsupportedException("not here")
  kRefuse,            // null, false or a status, whichever the call returns
};

/// What a test backend does, and what was done to it. Shared by all its objects.
class TestBackend {
 public:
  explicit TestBackend(std::string backend_id) : id(std::move(backend_id)) {}

  const std::string id;
  std::map<CallPoint, FailureKind> failures;
  /// Which layers it takes; empty: all.
  std::function<bool(const LayerSupportQuery&, std::string&)> supports;
  /// Called at the begin of each Execute.
  std::function<void(const ExecuteArgs&)> on_execute;
  /// Does the work of Execute; empty: what TestWorkload does.
  std::function<Status(const ExecuteArgs&)> execute;
  /// Called for each workload that is made.
  std::function<void(const WorkloadArgs&)> on_create_workload;
  /// Called with each context that the host passes on, and the function it is passed to.
  std::function<void(const std::string& function, const IBackendContext*)> on_context_passed;
  /// Called for each context that is made.
  std::function<void(const BackendContextArgs&)> on_create_context;
  /// Called for each event, after it is recorded.
  std::function<void(const std::string& event)> on_event;
  /// Why it refuses the custom allocator that it is given; it takes it when this is not set.
  std::optional<std::string> allocator_refusal;
  /// What OptimizeSubgraphView does; empty: everything stays untouched.
  std::function<OptimizationViews(const OptimizeSubgraphArgs&)> optimize;
  /// Called by Resize of all that it compiles; empty: Resize gives null.
  std::function<std::shared_ptr<const IPreCompiledObject>(const ResizeArgs&)> resize;
  BackendCapabilities capabilities;  // beside kCapabilityCustomAllocator
  bool takes_allocators = true;      // states that capability
  std::vector<OptionSchema> schemas;
  std::uint64_t constant_bytes = 0;  // that its workload factories state
  bool is_memory_addressable = true;
  bool has_context = true;

  BackendCapabilities GetCapabilities() const;

  /// In the order in which they happened.
  std::vector<std::string> GetEvents() const;
  int CountEvents(const std::string& event) const;
  void Record(const std::string& event);

  /// Throws, when the call is to throw; true when it is to refuse.
  bool Fails(CallPoint point) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> events_;
};

/// What a test backend compiles: adds `value` to the first input. Recorded as "~compiled" when it
/// goes.
class TestCompiled final : public IPreCompiledObject {
 public:
  TestCompiled(std::shared_ptr<TestBackend> test, float value)
      : value_(value), test_(std::move(test)) {}
  ~TestCompiled() override { test_->Record("~compiled"); }
  float GetValue() const { return value_; }
  std::shared_ptr<const IPreCompiledObject> Resize(const ResizeArgs& args) const override {
    return test_->resize ? test_->resize(args) : nullptr;
  }

 private:
  float value_;
  std::shared_ptr<TestBackend> test_;
};

/// A memory manager that the backend makes. Blocks are memory of the CPU when
/// `is_memory_addressable`.
PluginObject<IMemoryManager> MakeMemoryManager(const std::shared_ptr<TestBackend>& backend);

/// What to register for a test backend.
BackendRegistration MakeRegistration(const std::shared_ptr<TestBackend>& backend);

/// A registry of test backends, in this order.
std::shared_ptr<BackendRegistry> MakeRegistry(
    const std::vector<std::shared_ptr<TestBackend>>& backends);

}  // namespace backplane
