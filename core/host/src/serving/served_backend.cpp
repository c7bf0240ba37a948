#include "serving/served_backend.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <tuple>
#include <type_traits>

namespace backplane::serving {
namespace {

using wire::Function;

template <typename Type>
constexpr bool kIsShared = false;
template <typename Type>
constexpr bool kIsShared<std::shared_ptr<Type>> = true;

/// The type in which an argument is kept until the function is called: a constant one is a value.
template <typename Parameter>
using Kept = std::conditional_t<std::is_const_v<std::remove_reference_t<Parameter>>,
                                std::decay_t<Parameter>, Parameter>;

/// Reports what the backend measured, under the number of its profiling context.
class RemoteProfiling final : public IBackendProfiling {
 public:
  RemoteProfiling(Notices& notices, std::uint64_t id) : notices_(notices), id_(id) {}

  Status ReportTimelineEvent(const TimelineEvent& event) override {
    if (!is_timeline_on.load()) return Status::kUnsupported;
    notices_.Send(Function::kTimelineEvent, wire::Writer().Put(id_, event).Get());
    return Status::kSuccess;
  }
  Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) override {
    if (samples == nullptr && count != 0) return Status::kInvalidArgument;
    constexpr std::uint32_t kMostAtOnce = 10'000;  // fit into one notice
    while (count != 0) {
      const std::uint32_t part = std::min(count, kMostAtOnce);
      wire::Writer writer;
      writer.Put(id_).PutBytes(samples, part * sizeof(CounterSample));
      notices_.Send(Function::kCounterSamples, writer.Get());
      samples += part;
      count -= part;
    }
    return Status::kSuccess;
  }

  std::atomic<bool> is_timeline_on{false};

 private:
  Notices& notices_;
  std::uint64_t id_;
};

}  // namespace

ServedBackend::ServedBackend(IBackendInternal& backend, HostLine& line, Notices& notices)
    : backend_(backend), line_(line), notices_(notices), logger_(notices, least_level_) {}

wire::Found ServedBackend::Serve(const std::function<void(const char*)>& announce) {
  announce(nullptr);
  for (;;) {
    wire::Message message;
    const wire::Found found = line_.Receive(message);
    if (found != wire::Found::kMessage) return found;
    const char* const words = wire::FindWords(message.function);
    if (words == nullptr) return wire::Found::kNonsense;
    Request request{wire::Reader(message.body), std::move(message.descriptors), {}};
    try {
      if (message.are_descriptors_lost) throw std::runtime_error(std::strerror(EMFILE));
      // The host waits until all that was told before the answer has come.
      OrderCalls();
      const Writer body = DoInItsThread(message.function, request, [&] {
        // None of these calls the backend.
        const bool is_own =
            message.function == Function::kAddArea || message.function == Function::kDropArea;
        if (!is_own) announce(words);
      });
      OrderCalls();
      const Writer answer = Writer().Put(notices_.GetNumSent());
      line_.Answer(message.function, answer.Get() + body.Get(), request.answer_descriptors);
    } catch (...) {
      line_.AnswerThrown(message.function, DescribeThrown());
    }
    announce(nullptr);
  }
}

/// Calls that compute run in a thread that ends: a library for parallel loops keeps threads for
/// each that called it, and they would take processors from the lanes.
wire::Writer ServedBackend::DoInItsThread(Function function, Request& request,
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

wire::Writer ServedBackend::Do(Function function, Request& request) {
  switch (function) {
#define BACKPLANE_CALL(name, words) \
  case Function::k##name:           \
    return Call(&ServedBackend::name, request);
#define BACKPLANE_MESSAGE(name, words)
#include "wire/functions.def"
    default:
      throw std::runtime_error("the host asked for what no backend does");
  }
}

template <typename Answer, typename... Parameters>
wire::Writer ServedBackend::Call(Answer (ServedBackend::*function)(Parameters...),
                                 Request& request) {
  // In braces, they are taken in their order.
  std::tuple<Kept<Parameters>...> arguments{Take<Kept<Parameters>>(request)...};
  if (!request.reader.IsWhole()) throw std::runtime_error("what the host asked is not whole");
  const auto call = [&](auto&... taken) -> Answer {
    return (this->*function)(std::forward<Kept<Parameters>>(taken)...);
  };
  if constexpr (std::is_void_v<Answer>) {
    std::apply(call, arguments);
    return {};
  } else if constexpr (std::is_same_v<Answer, Writer>) {
    return std::apply(call, arguments);
  } else {
    return Writer().Put(std::apply(call, arguments));
  }
}

/// An object that is there, by its number; one that may be none; a value.
template <typename Parameter>
Parameter ServedBackend::Take(Request& request) {
  if constexpr (std::is_same_v<Parameter, Request&>) {
    return request;
  } else if constexpr (std::is_reference_v<Parameter>) {
    return Get<std::decay_t<Parameter>>(request.reader.Take<std::uint64_t>());
  } else if constexpr (kIsShared<Parameter>) {
    const auto id = request.reader.Take<std::uint64_t>();
    return id != 0 ? Get<Parameter>(id) : nullptr;
  } else if constexpr (std::is_same_v<Parameter, CallParts>) {
    return TakeCallParts(request);
  } else {
    return request.reader.Take<Parameter>();
  }
}

ServedBackend::CallParts ServedBackend::TakeCallParts(Request& request) {
  auto sent = request.reader.Take<serving::CallParts>();
  CallParts parts;
  if (auto* const context = objects_.Find<Context>(sent.context)) parts.context = context->get();
  if (sent.model_context != 0) {
    parts.model_context = Get<std::shared_ptr<const IBackendModelContext>>(sent.model_context);
  }
  parts.options = std::move(sent.options);
  return parts;
}

bool ServedBackend::CreateBackendContext(std::uint64_t id, const CallParts& parts,
                                         std::uint32_t is_protected) {
  BackendContextArgs args;
  args.is_protected_mode = is_protected;
  args.options = &parts.options;
  args.logger = &logger_;
  return Keep(id, backend_.CreateBackendContext(args));
}

bool ServedBackend::CreateModelContext(std::uint64_t id, const CallParts& parts) {
  ModelContextArgs args;
  args.options = &parts.options;
  args.logger = &logger_;
  args.context = parts.context;
  return Keep(id, backend_.CreateBackendSpecificModelContext(args));
}

bool ServedBackend::CreateProfilingContext(std::uint64_t id, const CallParts& parts) {
  auto profiling = std::make_unique<RemoteProfiling>(notices_, id);
  ProfilingContextArgs args;
  args.context = parts.context;
  args.profiling = profiling.get();
  args.logger = &logger_;
  const bool is_made = Keep(id, backend_.CreateBackendProfilingContext(args));
  if (is_made) profilings_[id] = std::move(profiling);
  return is_made;
}

Status ServedBackend::SetTimeline(std::uint64_t id, ProfilingState state) {
  auto& context = Get<Profiling>(id);
  static_cast<RemoteProfiling&>(*profilings_.at(id)).is_timeline_on = state == ProfilingState::kOn;
  return context->SetTimeline(state);
}

}  // namespace backplane::serving
