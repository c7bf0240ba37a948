#pragma once

#include "serving/objects.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::serving {

/// A backend that the host asks by messages: what a message asks for is done with the real one.
class ServedBackend {
 public:
  /// `backend` and `line` must stay.
  ServedBackend(IBackendInternal& backend, HostLine& line, Notices& notices);

  /// Answers, until the host is gone or cannot be heard any more; says which. `announce` is told
  /// which function of the backend is called.
  wire::Found Serve(const std::function<void(const char*)>& announce);

 private:
  using Writer = wire::Writer;
  struct Request {
    wire::Reader reader;
    std::vector<wire::FileDescriptor> descriptors;
    std::vector<int> answer_descriptors;
  };
  /// The arguments that calls of the Backend API have in common.
  struct CallParts {
    IBackendContext* context = nullptr;
    std::shared_ptr<const IBackendModelContext> model_context;
    BackendOptions options;
  };
  /// Constants of the host, as calls of the Backend API get them.
  struct Constants {
    std::vector<std::shared_ptr<const void>> contents;
    std::vector<ConstTensor> tensors;
    std::vector<const ConstTensor*> pointers;  // null: it is no constant
  };
  class Subgraph;
  class Registry;

  /// `announce` says, in the thread that calls the backend, what it is asked.
  Writer DoInItsThread(wire::Function function, Request& request,
                       const std::function<void()>& announce);
  Writer Do(wire::Function function, Request& request);
  /// Calls what a message asks for with what it has, which the types of the parameters say.
  template <typename Answer, typename... Parameters>
  Writer Call(Answer (ServedBackend::*function)(Parameters...), Request& request);
  template <typename Parameter>
  Parameter Take(Request& request);
  CallParts TakeCallParts(Request& request);
  template <typename Args>
  Args MakeArgs(const CallParts& parts) {
    Args args;
    args.context = parts.context;
    args.model_context = parts.model_context;
    args.options = &parts.options;
    args.logger = &logger_;
    return args;
  }
  template <typename Type>
  Type& Get(std::uint64_t id) {
    Type* object = objects_.Find<Type>(id);
    if (object == nullptr) {
      throw std::runtime_error("the host named an object that is not there: " + std::to_string(id));
    }
    return *object;
  }
  /// Keeps an object unless it is null. Returns whether it was made.
  template <typename Made>
  bool Keep(std::uint64_t id, Made made) {
    const bool is_made = made != nullptr;
    if (is_made) objects_.Keep(id, std::move(made));
    return is_made;
  }
  /// Errors: std::runtime_error when one is not there.
  Constants FindConstants(const std::vector<std::optional<ConstantPlace>>& places) const;

  // One function for each row of functions.def, called when the host asks for it.
  using Context = std::unique_ptr<IBackendContext>;
  using Profiling = std::unique_ptr<IBackendProfilingContext>;
  using Support = std::shared_ptr<const ILayerSupport>;
  using Compiled = std::shared_ptr<const IPreCompiledObject>;
  using Factory = std::unique_ptr<IWorkloadFactory>;
  using HandleFactory = std::unique_ptr<ITensorHandleFactory>;
  using Manager = std::shared_ptr<IMemoryManager>;

  std::int64_t Open(std::uint32_t least_level) {
    least_level_ = least_level;
    return getpid();
  }
  Status AddArea(Request& request, std::uint64_t id, std::uint64_t size_bytes) {
    const bool is_added =
        !request.descriptors.empty() && areas_.Add(id, request.descriptors.front(), size_bytes);
    return is_added ? Status::kSuccess : Status::kOutOfMemory;
  }
  void DropArea(std::uint64_t id) { areas_.Drop(id); }
  void Destroy(std::uint64_t id) {
    objects_.Destroy(id);
    profilings_.erase(id);
  }
  BackendCapabilities GetCapabilities() { return backend_.GetCapabilities(); }
  std::vector<OptionSchema> GetOptionSchemas() { return backend_.GetOptionSchemas(); }
  std::vector<std::string> GetHandleFactoryPreferences(const CallParts& parts) {
    return backend_.GetHandleFactoryPreferences(MakeArgs<BackendCallArgs>(parts));
  }
  bool CreateBackendContext(std::uint64_t id, const CallParts& parts, std::uint32_t is_protected);
  Status TellNetworkEvent(Context& context, const NetworkEvent& event) {
    return context->OnNetworkEvent(event);
  }
  bool CreateModelContext(std::uint64_t id, const CallParts& parts);
  bool CreateProfilingContext(std::uint64_t id, const CallParts& parts);
  std::vector<CounterDescription> GetCounters(Profiling& context) { return context->GetCounters(); }
  Status ActivateCounters(Profiling& context, std::uint64_t period_us,
                          const std::vector<std::uint32_t>& ids) {
    return context->ActivateCounters(period_us, ids.data(), static_cast<std::uint32_t>(ids.size()));
  }
  Status SetTimeline(std::uint64_t id, ProfilingState state);

  // In served_layers.cpp.
  bool GetLayerSupport(std::uint64_t id, const CallParts& parts);
  Writer IsLayerSupported(Support& support, const LayerRecord& layer,
                          const std::vector<std::uint8_t>& is_constant);
  OptimizationViews OptimizeSubgraph(std::uint64_t next_id, bool has_cache, bool is_open,
                                     std::uint64_t deadline_ns, const CallParts& parts,
                                     const SubgraphView& view,
                                     const std::vector<LayerRecord>& layers);
  bool ResizeCompiled(std::uint64_t id, Compiled& compiled, const CallParts& parts,
                      const std::vector<ExtentChange>& changes,
                      const std::vector<OutputSlot>& readers,
                      const std::vector<std::optional<ConstantPlace>>& places,
                      std::uint64_t deadline_ns);
  bool CreateWorkloadFactory(std::uint64_t id, const CallParts& parts) {
    return Keep(id, backend_.CreateWorkloadFactory(MakeArgs<WorkloadFactoryArgs>(parts)));
  }
  bool CreateWorkload(std::uint64_t id, Factory& factory, Compiled pre_compiled,
                      const LayerRecord& layer, const std::vector<std::string>& input_factories,
                      const std::vector<std::string>& output_factories);
  std::uint64_t GetConstantBytes(Factory& factory) { return factory->GetConstantBytes(); }
  void CreateLane(std::uint64_t id, Factory& factory, std::uint64_t area,
                  const std::vector<LaneWorkload>& workloads);

  // In served_memory.cpp.
  void RegisterFactories(std::uint64_t next_id, const CallParts& parts);
  MemoryRequirements GetRequirements(HandleFactory& factory, LayerType layer_type,
                                     const TensorInfo& info);
  Writer CreateTensorHandle(Request& request, std::uint64_t id, HandleFactory& factory,
                            const TensorInfo& info);
  Writer CreateSubTensorHandle(Request& request, std::uint64_t id, HandleFactory& factory,
                               ServedHandle& parent, const TensorInfo& info,
                               std::vector<std::int64_t> origin);
  Writer BindHandle(Request& request, ServedHandle& handle, std::uint64_t block_id,
                    std::uint64_t area, std::uint64_t begin_bytes, std::uint64_t size_bytes,
                    std::uint64_t offset_bytes);
  Writer MapHandle(Request& request, ServedHandle& handle, MemoryAccess access);
  Status CopyMapped(ServedHandle& handle, std::uint64_t area, std::uint64_t size_bytes,
                    bool is_read);
  Status UnmapHandle(ServedHandle& handle) {
    handle.mapped = {};
    return handle.handle->Unmap();
  }
  Writer ImportIntoHandle(Request& request, ServedHandle& handle, std::uint64_t version,
                          const PlacedView& placed);
  Writer UnimportHandle(Request& request, ServedHandle& handle, std::uint64_t version) {
    const Status status = handle.Unimport(version);
    return Writer().Put(status, Place(handle.handle->GetMemoryView(), request));
  }
  Writer ExportHandle(Request& request, ServedHandle& handle, MemorySource source);
  Writer AcquireBlock(Request& request, std::uint64_t id, Manager& manager,
                      const MemoryRequirements& requirements);
  void ReleaseBlock(std::uint64_t id) {
    ServedBlock& served = Get<ServedBlock>(id);
    served.manager->Release(served.block);
    objects_.Destroy(id);
  }
  Writer KeepHandle(Request& request, std::uint64_t id, std::unique_ptr<ITensorHandle> handle);
  /// A view as the host can use it, with its file beside the answer.
  std::optional<PlacedView> Place(const MemoryView* view, Request& request) const;

  const pid_t process_ = getpid();
  IBackendInternal& backend_;
  HostLine& line_;
  Notices& notices_;
  std::atomic<std::uint32_t> least_level_{static_cast<std::uint32_t>(LogLevel::kTrace)};
  RemoteLogger logger_;
  Areas areas_;
  std::map<std::uint64_t, std::unique_ptr<IBackendProfiling>> profilings_;
  Objects objects_;
};

}  // namespace backplane::serving
