#pragma once

#include "messages/api_values.hpp"
#include "serving/answers.hpp"
#include "serving/areas.hpp"
#include "serving/host_line.hpp"
#include "serving/notices.hpp"
#include "serving/objects.hpp"
#include "wire/channel.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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
  ~ServedBackend();
  ServedBackend(const ServedBackend&) = delete;
  ServedBackend& operator=(const ServedBackend&) = delete;

  /// Answers, until the host is gone or cannot be heard any more; says which. `announce` is told
  /// which function of the backend is called.
  wire::Missing Serve(const std::function<void(const char*)>& announce);

 private:
  using Body = std::string;
  struct Request {
    wire::Reader reader;
    std::vector<wire::FileDescriptor> descriptors;
    std::vector<int> answer_descriptors;
  };
  /// The context, options and logger that a call comes with.
  struct CallParts {
    IBackendContext* context = nullptr;
    BackendOptions options;
  };

  /// `announce` says, in the thread that calls the backend, what it is asked.
  Body DoInItsThread(wire::Function function, Request& request,
                     const std::function<void()>& announce);
  Body Do(wire::Function function, Request& request);
  CallParts TakeCallParts(Request& request);
  BackendCallArgs MakeCallArgs(const CallParts& parts);
  IBackendContext* FindContext(std::uint64_t id);
  template <typename Type>
  Type& Get(std::uint64_t id) {
    Type* object = objects_.Find<Type>(id);
    if (object == nullptr) {
      throw std::runtime_error("the host named an object that is not there: " + std::to_string(id));
    }
    return *object;
  }
  /// Of null, nothing is kept.
  template <typename Made>
  Body KeepMade(std::uint64_t id, Made made) {
    const bool is_made = made != nullptr;
    if (is_made) objects_.Keep(id, std::move(made));
    return AnswerMade(is_made);
  }

  Body Open(Request& request);
  Body AddArea(Request& request);
  Body DropArea(Request& request);
  Body Destroy(Request& request);
  Body GetCapabilities(Request& request);
  Body GetOptionSchemas(Request& request);
  Body GetHandleFactoryPreferences(Request& request);

  // In served_contexts.cpp.
  Body CreateBackendContext(Request& request);
  Body TellNetworkEvent(Request& request);
  Body CreateModelContext(Request& request);

  // In served_profiling.cpp.
  Body CreateProfilingContext(Request& request);
  Body GetCounters(Request& request);
  Body ActivateCounters(Request& request);
  Body SetTimeline(Request& request);

  // In served_layers.cpp.
  Body GetLayerSupport(Request& request);
  Body IsLayerSupported(Request& request);
  Body OptimizeSubgraph(Request& request);
  Body ResizeCompiled(Request& request);
  ConstTensor FindConstant(const messages::ConstantPlace& place);
  Body CreateWorkloadFactory(Request& request);
  Body CreateWorkload(Request& request);
  Body GetConstantBytes(Request& request);
  Body CreateLane(Request& request);

  // In served_memory.cpp.
  Body RegisterFactories(Request& request);
  Body GetRequirements(Request& request);
  Body CreateTensorHandle(Request& request);
  Body CreateSubTensorHandle(Request& request);
  Body BindHandle(Request& request);
  Body MapHandle(Request& request);
  Body CopyMapped(Request& request);
  Body UnmapHandle(Request& request);
  Body ImportIntoHandle(Request& request);
  Body UnimportHandle(Request& request);
  Body ExportHandle(Request& request);
  Body AcquireBlock(Request& request);
  Body ReleaseBlock(Request& request);
  Body AnswerHandle(std::uint64_t id, std::unique_ptr<ITensorHandle> handle, Request& request);
  /// A view as the host can use it: the address by its place in an area, the file beside.
  void PutView(wire::Writer& writer, const MemoryView* view, Request& request) const;

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
