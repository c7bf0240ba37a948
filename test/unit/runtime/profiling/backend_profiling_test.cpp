#include "execution/allocation_counter.hpp"
#include "profiling/profiling_fixture.hpp"

#include <cmath>
#include <limits>
#include <thread>

namespace backplane {
namespace {

class BackendProfilingTest : public ProfilingFixture {
 protected:
  BackendProfilingTest() {
    backend_->counters = {MakeCounter(7, "cycles"), MakeCounter(9, "bytes", "B"),
                          MakeCounter(11, "stalls")};
  }

  static const Diagnostic& GetOnly(const Profile& profile) {
    EXPECT_EQ(profile.diagnostics.size(), 1U);
    return profile.diagnostics.at(0);
  }
};

TEST_F(BackendProfilingTest, MakesTheContextWithThatOfTheBackendAndEndsItFirst) {
  Start();
  EXPECT_NE(backend_->sink, nullptr);
  EXPECT_NE(backend_->context, nullptr);
  Load({"one"});
  runtime_.reset();
  const auto events = backend_->test->GetEvents();
  const auto find = [&](const char* event) {
    const auto found = std::find(events.begin(), events.end(), event);
    EXPECT_NE(found, events.end()) << event;
    return found;
  };
  EXPECT_LT(find("create context with 0 options"), find("create profiling context"));
  EXPECT_LT(find("~workload"), find("timeline off"));
  EXPECT_LT(find("timeline off"), find("~profiling context"));
  EXPECT_LT(find("~profiling context"), find("~context"));
}

TEST_F(BackendProfilingTest, MakesOneContextForEachRuntime) {
  Start();
  Load({"one"});
  Load({"two"});
  EXPECT_EQ(backend_->test->CountEvents("create profiling context"), 1);
}

TEST_F(BackendProfilingTest, ActivatesExactlyTheCountersThatAreNamed) {
  options_.named_counters = {{"P", {"stalls", "cycles", "stalls"}}};
  options_.counter_period_us = 250;
  Start();
  EXPECT_EQ(backend_->test->CountEvents("activate counters 11 7 every 250 us"), 1);
  runtime_.reset();
  EXPECT_EQ(backend_->test->CountEvents("activate counters every 0 us"), 1);
}

TEST_F(BackendProfilingTest, ActivatesAllCountersOnDemand) {
  options_.counters = CounterChoice::kAll;
  Start();
  EXPECT_EQ(backend_->test->CountEvents("activate counters 7 9 11 every 1000 us"), 1);
}

TEST_F(BackendProfilingTest, ActivatesNoCountersUnasked) {
  Start();
  runtime_.reset();
  for (const std::string& event : backend_->test->GetEvents()) {
    EXPECT_EQ(event.find("activate"), std::string::npos) << event;
  }
}

TEST_F(BackendProfilingTest, NamesTheNearestCounter) {
  options_.named_counters = {{"P", {"cycle"}}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { Start(); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kUnknownCounter, "P", "\"cycle\"",
                   "cycles, bytes, stalls");
  EXPECT_EQ(diagnostic.fix, "did you mean \"cycles\"?");
}

TEST_F(BackendProfilingTest, NamesAllUnknownCountersTogether) {
  options_.named_counters = {{"P", {"first", "cycles", "second"}}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { Start(); });
  EXPECT_EQ(diagnostic.code, DiagnosticCode::kUnknownCounter);
  ASSERT_EQ(diagnostic.causes.size(), 2U);
  ExpectContains(diagnostic.causes[1].what, "\"second\"");
}

TEST_F(BackendProfilingTest, RefusesCountersOfBackendsThatDoNotExist) {
  options_.named_counters = {{"Q", {"cycles"}}};
  EXPECT_EQ(CatchDiagnostic([&] { Start(); }).code, DiagnosticCode::kBackendNotRegistered);
}

TEST_F(BackendProfilingTest, HasNoCountersWithoutContext) {
  backend_->has_profiling_context = false;
  Start();
  EXPECT_EQ(Run(Load({"one"})), Status::kSuccess);
  EXPECT_TRUE(GetProfile().diagnostics.empty());
  options_.named_counters = {{"P", {"cycles"}}};
  const Diagnostic diagnostic = CatchDiagnostic([&] { Start(); });
  ExpectDiagnostic(diagnostic, DiagnosticCode::kUnknownCounter, "P", "\"cycles\"", "none");
}

TEST_F(BackendProfilingTest, TakesValuesOfActiveCountersOnly) {
  options_.named_counters = {{"P", {"bytes"}}};
  Start();
  EXPECT_EQ(Report(9, 1.5), Status::kSuccess);
  EXPECT_EQ(Report(7, 2.5), Status::kNotFound);
  EXPECT_EQ(Report(9, -3.0), Status::kSuccess);
  const Profile profile = GetProfile();
  ASSERT_EQ(profile.counters.size(), 1U);
  EXPECT_EQ(profile.counters[0].backend_id, "P");
  EXPECT_EQ(profile.counters[0].name, "bytes");
  EXPECT_EQ(profile.counters[0].unit, "B");
  ASSERT_EQ(profile.counters[0].values.size(), 2U);
  EXPECT_EQ(profile.counters[0].values[0].value, 1.5);
  EXPECT_EQ(profile.counters[0].values[1].value, -3.0);
  ExpectDiagnostic(GetOnly(profile), DiagnosticCode::kProfilingDataRefused, "P",
                   "counter 7, which is not active", "active counters");
}

TEST_F(BackendProfilingTest, TakesEventsInLanesOfTheBackend) {
  Start();
  EXPECT_EQ(backend_->test->CountEvents("timeline on"), 1);
  EXPECT_EQ(Report("kernel", "queue 1", 10), Status::kSuccess);
  EXPECT_EQ(Report("copy", "queue 2", 20), Status::kSuccess);
  EXPECT_EQ(Report("kernel", "queue 1", 30), Status::kSuccess);
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kBackend), (Names{"kernel", "kernel", "copy"}));
  const ProfileLane& lane = profile.lanes[Find(profile, "copy").lane];
  EXPECT_EQ(lane.backend_id, "P");
  EXPECT_EQ(lane.name, "queue 2");
  EXPECT_EQ(Find(profile, "copy").end_ns - Find(profile, "copy").begin_ns, 20U);
}

TEST_F(BackendProfilingTest, AnswersUnsupportedWhenTheTimelineIsOff) {
  options_.timelines = ProfilingState::kOff;
  Start();
  EXPECT_EQ(backend_->test->CountEvents("timeline on"), 0);
  EXPECT_EQ(Report("kernel", "queue", 10), Status::kUnsupported);
  const Profile profile = GetProfile();
  EXPECT_TRUE(GetNames(profile, ProfileEventKind::kBackend).empty());
  EXPECT_TRUE(profile.diagnostics.empty());
}

TEST_F(BackendProfilingTest, RefusesEventsThatCannotHaveHappened) {
  Start();
  const std::uint64_t now = profiling::Now();
  const auto report = [&](std::uint64_t begin_ns, std::uint64_t end_ns) {
    TimelineEvent event;
    event.begin_ns = begin_ns;
    event.end_ns = end_ns;
    return backend_->sink->ReportTimelineEvent(event);
  };
  EXPECT_EQ(report(now, now - 1), Status::kInvalidArgument);
  EXPECT_EQ(report(0, now), Status::kInvalidArgument);
  EXPECT_EQ(report(now, std::numeric_limits<std::uint64_t>::max()), Status::kInvalidArgument);
  EXPECT_EQ(report(now, now), Status::kSuccess);
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kBackend), (Names{"(no name)"}));
  const Diagnostic& diagnostic = GetOnly(profile);
  ExpectDiagnostic(diagnostic, DiagnosticCode::kProfilingDataRefused, "P", "ends before it begins",
                   "steady clock");
  ExpectContains(diagnostic.what, "3 events");
}

TEST_F(BackendProfilingTest, RefusesValuesThatAreNoNumbers) {
  options_.counters = CounterChoice::kAll;
  Start();
  EXPECT_EQ(Report(7, std::nan("")), Status::kInvalidArgument);
  EXPECT_EQ(Report(7, INFINITY), Status::kInvalidArgument);
  EXPECT_EQ(backend_->sink->ReportCounterSamples(nullptr, 3), Status::kInvalidArgument);
  EXPECT_EQ(backend_->sink->ReportCounterSamples(nullptr, 0), Status::kSuccess);
  CounterSample early;
  early.id = 7;
  EXPECT_EQ(backend_->sink->ReportCounterSamples(&early, 1), Status::kInvalidArgument);
  const Profile profile = GetProfile();
  EXPECT_TRUE(profile.counters[0].values.empty());
  ExpectContains(GetOnly(profile).what, "4 events or values");
}

TEST_F(BackendProfilingTest, LeavesOutCountersThatCannotBeToldApart) {
  backend_->counters = {MakeCounter(1, "one"), MakeCounter(2, ""), MakeCounter(1, "other"),
                        MakeCounter(3, "one")};
  options_.counters = CounterChoice::kAll;
  Start();
  EXPECT_EQ(backend_->test->CountEvents("activate counters 1 every 1000 us"), 1);
  const Profile profile = GetProfile();
  ExpectContains(GetOnly(profile).what, "3 counters");
  ExpectDiagnostic(GetOnly(profile), DiagnosticCode::kProfilingDataRefused, "P",
                   "counter 2 without a name", "a name of its own");
}

TEST_F(BackendProfilingTest, GoesOnWhateverTheBackendThrows) {
  for (const ProfilingPoint point :
       {ProfilingPoint::kCreate, ProfilingPoint::kGetCounters, ProfilingPoint::kActivateCounters,
        ProfilingPoint::kSetTimeline}) {
    for (const FailureKind kind : {FailureKind::kThrow, FailureKind::kThrowInt}) {
      options_.counters = CounterChoice::kAll;
      backend_->failures = {{point, kind}};
      Start();
      EXPECT_EQ(Run(Load({"one"})), Status::kSuccess);
      const Profile profile = GetProfile();
      const Diagnostic& diagnostic = GetOnly(profile);
      EXPECT_EQ(diagnostic.code, DiagnosticCode::kBackendProfilingFailed);
      EXPECT_EQ(diagnostic.severity, Severity::kWarning);
      EXPECT_EQ(diagnostic.causes.at(0).code, DiagnosticCode::kBackendThrew);
      if (kind == FailureKind::kThrow) ExpectContains(diagnostic.why, "boom");
      EXPECT_EQ(profile.layers.at(0).num_runs, 1U);
    }
  }
}

TEST_F(BackendProfilingTest, SaysWhatTheBackendRefused) {
  backend_->failures = {{ProfilingPoint::kSetTimeline, FailureKind::kRefuse}};
  Start();
  ExpectDiagnostic(GetOnly(GetProfile()), DiagnosticCode::kBackendProfilingFailed, "P",
                   GetStatusText(Status::kUnsupported), "\"success\"");
  EXPECT_EQ(Report("kernel", "queue", 1), Status::kUnsupported);
  runtime_.reset();
  EXPECT_EQ(backend_->test->CountEvents("timeline off"), 0);
}

TEST_F(BackendProfilingTest, GoesOnWhenTheEndThrows) {
  options_.counters = CounterChoice::kAll;
  Start();
  backend_->failures = {{ProfilingPoint::kActivateCounters, FailureKind::kThrow},
                        {ProfilingPoint::kSetTimeline, FailureKind::kThrow}};
  runtime_.reset();
  EXPECT_EQ(backend_->test->CountEvents("~profiling context"), 1);
  EXPECT_EQ(backend_->test->CountEvents("~context"), 1);
}

TEST_F(BackendProfilingTest, KeepsTheNewestOfMillionsOfEvents) {
  options_.max_events = 100;
  options_.counters = CounterChoice::kAll;
  Start();
  constexpr std::uint64_t kEvents = 200'000;
  TimelineEvent event;
  event.begin_ns = event.end_ns = profiling::Now();
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    event.name = std::to_string(i);
    event.lane = event.name;
    ASSERT_EQ(backend_->sink->ReportTimelineEvent(event), Status::kSuccess);
  }
  std::vector<CounterSample> samples(kEvents);
  for (CounterSample& sample : samples) {
    sample.id = 7;
    sample.time_ns = event.begin_ns;
  }
  EXPECT_EQ(backend_->sink->ReportCounterSamples(samples.data(), kEvents), Status::kSuccess);
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kBackend).size(), 100U);
  EXPECT_EQ(profile.num_lost_events, kEvents - 100);
  EXPECT_EQ(profile.counters[0].values.size(), 100U);
  EXPECT_EQ(profile.num_lost_values, kEvents - 100);
  EXPECT_LT(profile.lanes.size(), 100U);
}

TEST_F(BackendProfilingTest, AllocatesNothingForNamesThatAreKnown) {
  Start();
  TimelineEvent event;
  event.name = "a name that is too long to be kept in the string itself";
  event.lane = event.name;
  event.begin_ns = event.end_ns = profiling::Now();
  ASSERT_EQ(backend_->sink->ReportTimelineEvent(event), Status::kSuccess);
  const long before = CountAllocations();
  const Status status = backend_->sink->ReportTimelineEvent(event);
  EXPECT_EQ(CountAllocations(), before);
  EXPECT_EQ(status, Status::kSuccess);
}

TEST_F(BackendProfilingTest, TakesReportsOfSeveralThreads) {
  options_.counters = CounterChoice::kAll;
  Start();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([this, i] {
      for (int event = 0; event < 500; ++event) {
        EXPECT_EQ(Report("event", "queue " + std::to_string(i), 1), Status::kSuccess);
        EXPECT_EQ(Report(7, event), Status::kSuccess);
      }
    });
  }
  for (int i = 0; i < 20; ++i) GetProfile();
  for (std::thread& thread : threads) thread.join();
  const Profile profile = GetProfile();
  EXPECT_EQ(GetNames(profile, ProfileEventKind::kBackend).size(), 1500U);
  EXPECT_EQ(profile.counters[0].values.size(), 1500U);
}

}  // namespace
}  // namespace backplane
