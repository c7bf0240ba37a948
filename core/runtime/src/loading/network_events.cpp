#include "loading/network_events.hpp"

#include "tensors/status_text.hpp"

#include <backplane/host/logging.hpp>

#include <utility>

namespace backplane {

namespace {

constexpr char kLoadingChannel[] = "loading";

Diagnostic DescribeRefusal(const BackendContext& context, const PluginResult<Status>& result) {
  const std::string& id = context.GetBackendId();
  Diagnostic diagnostic{DiagnosticCode::kContextRefused};
  diagnostic.subject = {SubjectKind::kBackend, id};
  diagnostic.what = "backend \"" + id + "\" refuses to have the network loaded";
  if (result.HasFailed()) {
    diagnostic.why = result.failure->what + ": " + result.failure->why;
    diagnostic.causes = {*result.failure};
  } else {
    diagnostic.why = std::string("its BeforeLoadNetwork returned \"") +
                     DescribeStatus(result.value) + "\"; expected \"" +
                     GetStatusText(Status::kSuccess) + "\"";
  }
  diagnostic.fix = "look at the log of channel backend." + id + ", or prefer another backend";
  return diagnostic;
}

void LogAnswer(const BackendContext& context, const char* function,
               const PluginResult<Status>& result) {
  if (!result.HasFailed() && result.value == Status::kSuccess) return;
  const std::string answer =
      result.HasFailed() ? ToText(*result.failure) : std::string(DescribeStatus(result.value));
  Log(kLoadingChannel, LogLevel::kWarning,
      std::string(function) + " of backend \"" + context.GetBackendId() + "\": " + answer);
}

template <auto kFunction>
void Tell(BackendContext& context, const NetworkEvent& event) noexcept {
  try {
    LogAnswer(context, FunctionInfo<kFunction>::kName, context.Notify<kFunction>(event));
  } catch (const std::exception& exception) {
    Log(kLoadingChannel, LogLevel::kError, exception.what());
  }
}

NetworkEvent MakeEvent(NetworkId network, Status outcome) {
  NetworkEvent event;
  event.network_id = network;
  event.outcome = outcome;
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
    : contexts_(contexts), event_(MakeEvent(network, Status::kFailure)) {}

LoadAnnouncement::~LoadAnnouncement() {
  while (num_told_ > 0) {
    Tell<&IBackendContext::AfterLoadNetwork>(*contexts_[--num_told_], event_);
  }
}

void LoadAnnouncement::Begin() {
  const NetworkEvent event = MakeEvent(event_.network_id, Status::kSuccess);
  for (const auto& context : contexts_) {
    ++num_told_;
    const auto result = context->Notify<&IBackendContext::BeforeLoadNetwork>(event);
    if (result.HasFailed() || result.value != Status::kSuccess) {
      throw DiagnosticException(DescribeRefusal(*context, result));
    }
  }
}

void AnnounceUnload(const UsedContexts& contexts, NetworkId network) noexcept {
  const NetworkEvent event = MakeEvent(network, Status::kSuccess);
  for (const auto& context : contexts) {
    Tell<&IBackendContext::BeforeUnloadNetwork>(*context, event);
  }
}

void AnnounceUnloaded(const UsedContexts& contexts, NetworkId network) noexcept {
  const NetworkEvent event = MakeEvent(network, Status::kSuccess);
  for (auto context = contexts.rbegin(); context != contexts.rend(); ++context) {
    Tell<&IBackendContext::AfterUnloadNetwork>(**context, event);
  }
}

}  // namespace backplane
