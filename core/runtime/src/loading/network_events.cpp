#include "loading/network_events.hpp"

#include "tensors/status_text.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane {

namespace {

constexpr char kLoadingChannel[] = "loading";

const char* GetEventText(NetworkEventKind kind) {
  switch (kind) {
    case NetworkEventKind::kBeforeLoad:
      return "before loading";
    case NetworkEventKind::kAfterLoad:
      return "after loading";
    case NetworkEventKind::kBeforeUnload:
      return "before unloading";
    case NetworkEventKind::kAfterUnload:
      return "after unloading";
  }
  return "";
}

// Of what it was told before loading.
Diagnostic DescribeRefusal(const BackendContext& context, const PluginResult<Status>& result) {
  const std::string& id = context.GetBackendId();
  Diagnostic diagnostic{DiagnosticCode::kContextRefused};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = "backend \"" + id + "\" refuses to have the network loaded";
  if (result.HasFailed()) {
    diagnostic.why = "before loading, " + result.failure->what + ": " + result.failure->why;
    diagnostic.causes = {*result.failure};
  } else {
    diagnostic.why = std::string("its OnNetworkEvent returned \"") + DescribeStatus(result.value) +
                     "\" before loading; expected \"" + GetStatusText(Status::kSuccess) + "\"";
  }
  diagnostic.fix = "look at the log of channel backend." + id + ", or prefer another backend";
  return diagnostic;
}

void LogAnswer(const BackendContext& context, NetworkEventKind kind,
               const PluginResult<Status>& result) {
  if (!result.HasFailed() && result.value == Status::kSuccess) return;
  const std::string answer =
      result.HasFailed() ? ToText(*result.failure) : std::string(DescribeStatus(result.value));
  Log(kLoadingChannel, LogLevel::kWarning,
      std::string(FunctionInfo<&IBackendContext::OnNetworkEvent>::kName) + " of backend \"" +
          context.GetBackendId() + "\" " + GetEventText(kind) + ": " + answer);
}

void Tell(BackendContext& context, const NetworkEvent& event) noexcept {
  try {
    LogAnswer(context, event.kind, context.Notify(event));
  } catch (const std::exception& exception) {
    Log(kLoadingChannel, LogLevel::kError, exception.what());
  }
}

NetworkEvent MakeEvent(NetworkId network, NetworkEventKind kind, Status outcome) {
  NetworkEvent event;
  event.network_id = network;
  event.outcome = outcome;
  event.kind = kind;
  return event;
}

}  // namespace

UsedContexts GetUsedContexts(const std::vector<std::shared_ptr<const NetworkBackend>>& backends) {
  UsedContexts used;
  for (const auto& backend : backends) {
    if (backend->context && !backend->context->IsEmpty()) used.push_back(backend->context);
  }
  return used;
}

LoadAnnouncement::LoadAnnouncement(const UsedContexts& contexts, NetworkId network)
    : contexts_(contexts),
      event_(MakeEvent(network, NetworkEventKind::kAfterLoad, Status::kFailure)) {}

LoadAnnouncement::~LoadAnnouncement() {
  while (num_told_ > 0) Tell(*contexts_[--num_told_], event_);
}

void LoadAnnouncement::Begin() {
  const NetworkEvent event =
      MakeEvent(event_.network_id, NetworkEventKind::kBeforeLoad, Status::kSuccess);
  for (const auto& context : contexts_) {
    ++num_told_;
    const auto result = context->Notify(event);
    if (result.HasFailed() || result.value != Status::kSuccess) {
      throw DiagnosticException(DescribeRefusal(*context, result));
    }
  }
}

void AnnounceUnload(const UsedContexts& contexts, NetworkId network) noexcept {
  const NetworkEvent event = MakeEvent(network, NetworkEventKind::kBeforeUnload, Status::kSuccess);
  for (const auto& context : contexts) Tell(*context, event);
}

void AnnounceUnloaded(const UsedContexts& contexts, NetworkId network) noexcept {
  const NetworkEvent event = MakeEvent(network, NetworkEventKind::kAfterUnload, Status::kSuccess);
  for (auto context = contexts.rbegin(); context != contexts.rend(); ++context) {
    Tell(**context, event);
  }
}

}  // namespace backplane
