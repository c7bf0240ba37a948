// What the contexts of a backend are told: of networks, and what to profile.

#include "harness/expectations.hpp"
#include "harness/session.hpp"

#include <set>
#include <string>
#include <vector>

namespace backplane::check_backend {

namespace {

void Tell(Session& session, IBackendContext& context, NetworkEventKind kind, NetworkId network) {
  NetworkEvent event;
  event.network_id = network;
  event.kind = kind;
  const bool is_before =
      kind == NetworkEventKind::kBeforeLoad || kind == NetworkEventKind::kBeforeUnload;
  const bool is_load =
      kind == NetworkEventKind::kBeforeLoad || kind == NetworkEventKind::kAfterLoad;
  const std::string call = std::string("OnNetworkEvent ") + (is_before ? "before " : "after ") +
                           (is_load ? "loading" : "unloading");
  ExpectStatus(session, call, context.OnNetworkEvent(event), Status::kSuccess, "kSuccess");
}

}  // namespace

void CheckContextsAreToldOfNetworks(Session& session) {
  Plugin& plugin = session.GetPlugin();
  if (plugin.GetContext() == nullptr) return session.Skip("it has no context");
  const BackendContextArgs args = plugin.MakeContextArgs();
  if (session.Begin("tells two contexts of networks that are loaded and unloaded")) {
    const auto one = plugin.GetBackend().CreateBackendContext(args);
    const auto two = plugin.GetBackend().CreateBackendContext(args);
    for (IBackendContext* context : {one.get(), two.get()}) {
      Tell(session, *context, NetworkEventKind::kBeforeLoad, 1);
      Tell(session, *context, NetworkEventKind::kAfterLoad, 1);
    }
    for (IBackendContext* context : {one.get(), two.get()}) {
      Tell(session, *context, NetworkEventKind::kBeforeUnload, 1);
      Tell(session, *context, NetworkEventKind::kAfterUnload, 1);
    }
  }
  if (session.Begin(
          "tells a context of a network that could not be loaded, and then of the next")) {
    const auto context = plugin.GetBackend().CreateBackendContext(args);
    Tell(session, *context, NetworkEventKind::kBeforeLoad, 1);
    NetworkEvent failed;
    failed.network_id = 1;
    failed.outcome = Status::kFailure;
    failed.kind = NetworkEventKind::kAfterLoad;
    static_cast<void>(context->OnNetworkEvent(failed));
    for (const NetworkEventKind kind :
         {NetworkEventKind::kBeforeLoad, NetworkEventKind::kAfterLoad,
          NetworkEventKind::kBeforeUnload, NetworkEventKind::kAfterUnload}) {
      Tell(session, *context, kind, 2);
    }
  }
  if (session.Begin("makes a context that is told of nothing, and destroys it")) {
    plugin.GetBackend().CreateBackendContext(args);
  }
}

// ---- profiling

namespace {

/// Takes what is reported, and keeps nothing.
class NoProfiling final : public IBackendProfiling {
 public:
  Status ReportTimelineEvent(const TimelineEvent& /*event*/) override { return Status::kSuccess; }
  Status ReportCounterSamples(const CounterSample* /*samples*/, std::uint32_t /*count*/) override {
    return Status::kSuccess;
  }
};

void CheckCounters(Session& session, IBackendProfilingContext& profiling) {
  std::set<std::uint32_t> ids;
  std::uint32_t unknown = 0;
  for (const CounterDescription& counter : profiling.GetCounters()) {
    session.Expect(ids.insert(counter.id).second,
                   "two counters have the id " + std::to_string(counter.id), "one for each");
    session.Expect(!counter.name.empty(), "a counter without a name", "a name for each");
  }
  while (ids.count(unknown) != 0) ++unknown;
  ExpectStatus(session, "ActivateCounters for a counter that there is not",
               profiling.ActivateCounters(1000, &unknown, 1), Status::kNotFound, "kNotFound");
  const std::vector<std::uint32_t> all(ids.begin(), ids.end());
  if (!all.empty()) {
    ExpectStatus(
        session, "ActivateCounters for all counters",
        profiling.ActivateCounters(1000, all.data(), static_cast<std::uint32_t>(all.size())),
        Status::kSuccess, "kSuccess");
  }
  ExpectStatus(session, "ActivateCounters for no counter",
               profiling.ActivateCounters(1000, nullptr, 0), Status::kSuccess, "kSuccess");
}

}  // namespace

void CheckProfilingIsSound(Session& session) {
  Plugin& plugin = session.GetPlugin();
  NoProfiling sink;
  ProfilingContextArgs args;
  args.profiling = &sink;
  args.context = plugin.GetContext();
  args.logger = &plugin.GetLogger();
  const auto profiling = plugin.GetBackend().CreateBackendProfilingContext(args);
  if (profiling == nullptr) return session.Skip("it has no profiling context");
  if (session.Begin("lists the counters, and activates one that there is not, all, and none")) {
    CheckCounters(session, *profiling);
  }
  if (session.Begin("turns the timeline on and off")) {
    ExpectStatus(session, "SetTimeline to turn the timeline on",
                 profiling->SetTimeline(ProfilingState::kOn), Status::kSuccess, "kSuccess");
    ExpectStatus(session, "SetTimeline to turn the timeline off",
                 profiling->SetTimeline(ProfilingState::kOff), Status::kSuccess, "kSuccess");
  }
}

}  // namespace backplane::check_backend
