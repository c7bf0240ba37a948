// What the contexts of a backend are told: of networks, and what to profile.

#include "harness/expectations.hpp"
#include "harness/session.hpp"

#include <set>
#include <string>
#include <vector>

namespace backplane::check_backend {

void CheckContextsAreToldOfNetworks(Session& session) {
  Plugin& plugin = session.GetPlugin();
  if (plugin.GetContext() == nullptr) return session.Skip("it has no context");
  const BackendContextArgs args = plugin.MakeContextArgs();
  const auto expect = [&](const char* call, Status status) {
    ExpectStatus(session, call, status, Status::kSuccess, "kSuccess");
  };
  if (session.Begin("tells two contexts of networks that are loaded and unloaded")) {
    const auto one = plugin.GetBackend().CreateBackendContext(args);
    const auto two = plugin.GetBackend().CreateBackendContext(args);
    NetworkEvent event;
    event.network_id = 1;
    for (IBackendContext* context : {one.get(), two.get()}) {
      expect("BeforeLoadNetwork", context->BeforeLoadNetwork(event));
      expect("AfterLoadNetwork", context->AfterLoadNetwork(event));
    }
    for (IBackendContext* context : {one.get(), two.get()}) {
      expect("BeforeUnloadNetwork", context->BeforeUnloadNetwork(event));
      expect("AfterUnloadNetwork", context->AfterUnloadNetwork(event));
    }
  }
  if (session.Begin(
          "tells a context of a network that could not be loaded, and then of the next")) {
    const auto context = plugin.GetBackend().CreateBackendContext(args);
    NetworkEvent event;
    event.network_id = 1;
    expect("BeforeLoadNetwork", context->BeforeLoadNetwork(event));
    event.outcome = Status::kFailure;
    static_cast<void>(context->AfterLoadNetwork(event));
    event = NetworkEvent();
    event.network_id = 2;
    expect("BeforeLoadNetwork", context->BeforeLoadNetwork(event));
    expect("AfterLoadNetwork", context->AfterLoadNetwork(event));
    expect("BeforeUnloadNetwork", context->BeforeUnloadNetwork(event));
    expect("AfterUnloadNetwork", context->AfterUnloadNetwork(event));
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
