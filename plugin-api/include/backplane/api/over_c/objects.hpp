#pragma once

/// The objects of a backend that the host holds. Workloads, states and handles are handed over as
/// they are.

#include <backplane/api/c_values.hpp>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/over_c/failures.hpp>
#include <backplane/api/over_c/host_objects.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

/// Destroys an object of the backend whose destructor may throw; see Free.
template <typename Object>
struct GuardedDelete {
  void operator()(Object* object) const noexcept { Free(object, origin); }
  Origin origin;
};
template <typename Object>
using Guarded = std::unique_ptr<Object, GuardedDelete<Object>>;

/// What a backend has made. Null: it has made nothing.
template <typename Object>
Guarded<Object> Own(std::unique_ptr<Object> made, const Origin& origin) {
  return {made.release(), GuardedDelete<Object>{origin}};
}

/// The memory manager of some kinds; called by one thread at a time.
struct BlockGiver {
  std::mutex mutex;
  std::shared_ptr<IMemoryManager> manager;
};

struct Kind {
  Origin origin;
  std::shared_ptr<BlockGiver> giver;  // null: the host gives memory
  Guarded<ITensorHandleFactory> factory;
  std::uint32_t arena = 0;
};

/// The kinds of tensor memory of one network, runtime or instance, and its layer support.
class Kinds final : public TensorHandleFactoryRegistry {
 public:
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    if (!factory) return Status::kInvalidArgument;
    for (const auto& kind : kinds_) {
      if (std::strcmp(kind->factory->GetId(), factory->GetId()) == 0) return Status::kAlreadyExists;
    }
    auto kind = std::make_unique<Kind>();
    kind->origin = origin_;
    kind->factory = Own(std::move(factory), origin_);
    kind->giver = giver_;
    kind->arena = arena_;
    kinds_.push_back(std::move(kind));
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> manager) override {
    if (!manager) return Status::kInvalidArgument;
    giver_ = std::shared_ptr<BlockGiver>(new BlockGiver);
    giver_->manager = std::move(manager);
    ++arena_;
    return Status::kSuccess;
  }

  /// Has the backend register its kinds, the first time.
  void Fill(const IBackendInternal& backend, const BackendCallArgs& args, const Origin& origin) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_filled_) return;
    origin_ = origin;
    kinds_.clear();
    backend.RegisterTensorHandleFactories(*this, args);
    is_filled_ = true;
  }
  /// What says which layers can be run; asked for the first time that it is needed.
  /// Null: the backend gives none.
  std::shared_ptr<const ILayerSupport> FindSupport(const IBackendInternal& backend,
                                                   const LayerSupportArgs& args) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!support_) support_ = backend.GetLayerSupport(args);
    return support_;
  }
  const std::vector<std::unique_ptr<Kind>>& Get() const { return kinds_; }
  Kind* Find(const std::string& id) const {
    for (const auto& kind : kinds_) {
      if (id == kind->factory->GetId()) return kind.get();
    }
    return nullptr;
  }

 private:
  std::mutex mutex_;
  bool is_filled_ = false;
  Origin origin_;
  std::shared_ptr<BlockGiver> giver_;
  std::uint32_t arena_ = 0;
  std::vector<std::unique_ptr<Kind>> kinds_;
  std::shared_ptr<const ILayerSupport> support_;
};

struct Profiler;

struct Instance {
  explicit Instance(const Origin& where) : origin(where), logger(where) {}
  Origin origin;
  HostLogger logger;
  std::string id;
  Guarded<IBackendInternal> backend;
  Kinds kinds;
  std::mutex mutex;
  std::vector<Profiler*> profilers;
};

struct Context {
  explicit Context(const Origin& where) : origin(where), logger(where) {}
  Origin origin;
  HostLogger logger;
  std::shared_ptr<ICustomAllocator> allocator;
  Guarded<IBackendContext> object;
  Kinds kinds;
};

struct Model {
  explicit Model(const Origin& where) : origin(where), logger(where) {}
  Origin origin;
  HostLogger logger;
  std::shared_ptr<const IBackendModelContext> object;
  Kinds kinds;
};

struct Compiled {
  Origin origin;
  std::shared_ptr<const IPreCompiledObject> object;
};

/// What builds the workloads of a network, and what is left of it when it is loaded.
struct Factory {
  explicit Factory(const Origin& where) : origin(where), logger(where) {}
  Origin origin;
  HostLogger logger;
  Guarded<IWorkloadFactory> object;
};
struct FactoryShare {
  Origin origin;
  std::shared_ptr<Factory> factory;
};

struct Profiler {
  explicit Profiler(const Origin& where, bp_sink* sink)
      : origin(where), logger(where), profiling(where.host, sink) {}
  Origin origin;
  HostLogger logger;
  HostProfiling profiling;
  Instance* instance = nullptr;
  const Context* context = nullptr;
  Guarded<IBackendProfilingContext> object;
  std::vector<std::uint32_t> counters;
  std::uint64_t period_us = 0;
  bool has_timeline = false;
};

template <typename Object, typename Opaque>
Object* From(Opaque* opaque) {
  return reinterpret_cast<Object*>(opaque);
}

/// What a call is made for.
class Scope {
 public:
  explicit Scope(const bp_scope* scope)
      : raw_(Copy(*scope)), logger_(GetOrigin()), options_(GetId(), ReadOptions()) {}

  Instance& GetInstance() const { return *From<Instance>(raw_.instance); }
  const IBackendInternal& GetBackend() const { return *GetInstance().backend; }
  Context* FindContext() const { return From<Context>(raw_.context); }
  IBackendContext* GetContext() const {
    return FindContext() != nullptr ? FindContext()->object.get() : nullptr;
  }
  Model* FindModel() const { return From<Model>(raw_.model); }
  std::shared_ptr<const IBackendModelContext> GetModel() const {
    return FindModel() != nullptr ? FindModel()->object : nullptr;
  }
  Origin GetOrigin() const { return {raw_.host, raw_.log}; }
  const BackendOptions& GetOptions() const { return options_; }
  /// Stays as long as this.
  ILogger* GetLogger() { return &logger_; }
  /// The one that stays longest of those that the scope has.
  ILogger* GetLastingLogger() {
    if (FindModel() != nullptr) return &FindModel()->logger;
    return FindContext() != nullptr ? &FindContext()->logger : &GetInstance().logger;
  }

  Kinds& GetKinds() {
    Kinds& kinds = FindKinds();
    kinds.Fill(GetBackend(), MakeCallArgs(), GetOrigin());
    return kinds;
  }
  std::shared_ptr<const ILayerSupport> FindSupport() const {
    LayerSupportArgs args;
    args.model_context = GetModel();
    args.context = GetContext();
    return FindKinds().FindSupport(GetBackend(), args);
  }
  BackendCallArgs MakeCallArgs() {
    BackendCallArgs args;
    args.context = GetContext();
    args.model_context = GetModel();
    args.options = &options_;
    args.logger = GetLastingLogger();
    return args;
  }

 private:
  Kinds& FindKinds() const {
    if (FindModel() != nullptr) return FindModel()->kinds;
    return FindContext() != nullptr ? FindContext()->kinds : GetInstance().kinds;
  }
  std::string GetId() const { return GetInstance().id; }
  std::vector<BackendOption> ReadOptions() const {
    return ToOptions(raw_.options, raw_.num_options);
  }

  bp_scope raw_;
  HostLogger logger_;
  BackendOptions options_;
};

}  // namespace backplane::c_form

#pragma GCC visibility pop
