#include "serving/served_backend.hpp"

#include "messages/api_values.hpp"
#include "serving/answers.hpp"
#include "serving/around_calls.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <future>
#include <stdexcept>
#include <utility>

namespace backplane::serving {
namespace {

using wire::Function;
using wire::Reader;
using wire::Writer;

}  // namespace

ServedBackend::ServedBackend(IBackendInternal& backend, HostLine& line, Notices& notices)
    : backend_(backend), line_(line), notices_(notices), logger_(notices, least_level_) {}

ServedBackend::~ServedBackend() = default;

wire::Missing ServedBackend::Serve(const std::function<void(const char*)>& announce) {
  announce(nullptr);
  auto missing = wire::Missing::kOtherSideGone;
  while (auto message = line_.Receive(missing)) {
    const char* const words = wire::FindWords(message->function);
    if (words == nullptr) return wire::Missing::kNonsense;
    Request request{Reader(message->body), std::move(message->descriptors), {}};
    try {
      if (message->are_descriptors_lost) throw std::runtime_error(std::strerror(EMFILE));
      // The host waits until all that was told before the answer has come.
      OrderCalls();
      const Body body = DoInItsThread(message->function, request, [&] {
        // None of these calls the backend.
        const bool is_own =
            message->function == Function::kAddArea || message->function == Function::kDropArea;
        if (!is_own) announce(words);
      });
      OrderCalls();
      Writer answer;
      answer.Put(notices_.GetNumSent());
      line_.Answer(message->function, answer.Get() + body, request.answer_descriptors);
    } catch (...) {
      line_.AnswerThrown(message->function, messages::DescribeThrown());
    }
    announce(nullptr);
  }
  return missing;
}

/// What computes does so in a thread that ends: those that a library for parallel loops keeps for
/// this one would take processors from the lanes.
ServedBackend::Body ServedBackend::DoInItsThread(Function function, Request& request,
                                                 const std::function<void()>& announce) {
  const bool computes =
      function == Function::kOptimizeSubgraph || function == Function::kResizeCompiled ||
      function == Function::kCreateWorkload || function == Function::kCreateWorkloadFactory;
  const auto do_once = [&] {
    const EndCopy end_copy(process_);
    announce();
    return Do(function, request);
  };
  return computes ? std::async(std::launch::async, do_once).get() : do_once();
}

ServedBackend::Body ServedBackend::Do(Function function, Request& request) {
  switch (function) {
#define BACKPLANE_DO(name) \
  case Function::k##name:  \
    return name(request)
    BACKPLANE_DO(Open);
    BACKPLANE_DO(AddArea);
    BACKPLANE_DO(DropArea);
    BACKPLANE_DO(Destroy);
    BACKPLANE_DO(GetCapabilities);
    BACKPLANE_DO(GetOptionSchemas);
    BACKPLANE_DO(GetHandleFactoryPreferences);
    BACKPLANE_DO(CreateBackendContext);
    BACKPLANE_DO(TellNetworkEvent);
    BACKPLANE_DO(CreateModelContext);
    BACKPLANE_DO(CreateWorkloadFactory);
    BACKPLANE_DO(CreateProfilingContext);
    BACKPLANE_DO(GetCounters);
    BACKPLANE_DO(ActivateCounters);
    BACKPLANE_DO(SetTimeline);
    BACKPLANE_DO(GetLayerSupport);
    BACKPLANE_DO(IsLayerSupported);
    BACKPLANE_DO(OptimizeSubgraph);
    BACKPLANE_DO(ResizeCompiled);
    BACKPLANE_DO(RegisterFactories);
    BACKPLANE_DO(GetRequirements);
    BACKPLANE_DO(CreateTensorHandle);
    BACKPLANE_DO(CreateSubTensorHandle);
    BACKPLANE_DO(BindHandle);
    BACKPLANE_DO(MapHandle);
    BACKPLANE_DO(CopyMapped);
    BACKPLANE_DO(UnmapHandle);
    BACKPLANE_DO(ImportIntoHandle);
    BACKPLANE_DO(UnimportHandle);
    BACKPLANE_DO(ExportHandle);
    BACKPLANE_DO(AcquireBlock);
    BACKPLANE_DO(ReleaseBlock);
    BACKPLANE_DO(CreateWorkload);
    BACKPLANE_DO(CreateLane);
    BACKPLANE_DO(GetConstantBytes);
#undef BACKPLANE_DO
    default:
      throw std::runtime_error("the host asked for what no backend does");
  }
}

IBackendContext* ServedBackend::FindContext(std::uint64_t id) {
  auto* context = objects_.Find<std::unique_ptr<IBackendContext>>(id);
  return context != nullptr ? context->get() : nullptr;
}

ServedBackend::CallParts ServedBackend::TakeCallParts(Request& request) {
  CallParts parts;
  parts.context = FindContext(request.reader.Take<std::uint64_t>());
  parts.options.backend_id = std::string(request.reader.TakeText());
  parts.options.options = wire::TakeFields<std::vector<BackendOption>>(request.reader);
  return parts;
}

BackendCallArgs ServedBackend::MakeCallArgs(const CallParts& parts) {
  BackendCallArgs args;
  args.context = parts.context;
  args.options = &parts.options;
  args.logger = &logger_;
  return args;
}

ServedBackend::Body ServedBackend::Open(Request& request) {
  least_level_ = request.reader.Take<std::uint32_t>();
  return Writer().Put(static_cast<std::int64_t>(getpid())).Get();
}

ServedBackend::Body ServedBackend::AddArea(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  const auto size_bytes = request.reader.Take<std::uint64_t>();
  const bool is_added =
      !request.descriptors.empty() && areas_.Add(id, request.descriptors.front(), size_bytes);
  return AnswerStatus(is_added ? Status::kSuccess : Status::kOutOfMemory);
}

ServedBackend::Body ServedBackend::DropArea(Request& request) {
  areas_.Drop(request.reader.Take<std::uint64_t>());
  return {};
}

ServedBackend::Body ServedBackend::Destroy(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  objects_.Destroy(id);
  profilings_.erase(id);
  return {};
}

ServedBackend::Body ServedBackend::GetCapabilities(Request& /*request*/) {
  Writer writer;
  wire::PutFields(writer, backend_.GetCapabilities());
  return writer.Get();
}

ServedBackend::Body ServedBackend::GetOptionSchemas(Request& /*request*/) {
  Writer writer;
  wire::PutFields(writer, backend_.GetOptionSchemas());
  return writer.Get();
}

ServedBackend::Body ServedBackend::GetHandleFactoryPreferences(Request& request) {
  const CallParts parts = TakeCallParts(request);
  Writer writer;
  wire::PutFields(writer, backend_.GetHandleFactoryPreferences(MakeCallArgs(parts)));
  return writer.Get();
}

}  // namespace backplane::serving
