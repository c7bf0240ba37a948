#pragma once

#include "profiling/ring.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/runtime/profiling.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::profiling {

/// Numbers for texts that come from outside: a bounded number of them, each of a bounded length. A
/// text that is known costs no memory.
///
/// Threads: one at a time.
class NameTable {
 public:
  /// `instead` stands for every name for which there is no room, and for the empty one.
  NameTable(std::size_t max_names, std::string instead);

  std::uint32_t Number(std::string_view name);
  const std::string& GetName(std::uint32_t number) const { return names_[number]; }
  std::size_t GetSize() const { return names_.size(); }

 private:
  std::size_t max_names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> names_;
};

/// Takes what one backend reports. In steady state it allocates nothing.
///
/// Threads: any.
class BackendSink final : public IBackendProfiling {
 public:
  /// Nothing is taken before `begin_ns`.
  BackendSink(std::string backend_id, std::uint64_t begin_ns, std::size_t max_events);

  Status ReportTimelineEvent(const TimelineEvent& event) override;
  Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) override;

  /// From now on, events are taken or answered with kUnsupported.
  void SetTimeline(ProfilingState state);
  /// From now on, exactly these counters are active. Values of earlier ones stay.
  void SetCounters(const std::vector<CounterDescription>& counters);

  /// Adds lanes, events, counters, and what was refused as one diagnostic.
  void AddTo(Profile& profile) const;

 private:
  struct Event {
    std::uint32_t name = 0;
    std::uint32_t lane = 0;
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;
  };
  struct Sample {
    std::uint32_t counter = 0;  // index in `counters_`
    std::uint64_t time_ns = 0;
    double value = 0.0;
  };
  /// What was left out.
  struct Refused {
    std::uint64_t count = 0;
    std::string first;  // what was wrong with the first
  };

  Status TakeEvent(const TimelineEvent& event);
  Status TakeSample(const CounterSample& sample);
  Status Refuse(const std::string& reason);
  bool IsInLife(std::uint64_t time_ns) const;
  void AddEvents(Profile& profile) const;
  void AddCounters(Profile& profile) const;

  const std::string backend_id_;
  const std::uint64_t begin_ns_;

  mutable std::mutex mutex_;  // guards what is below
  ProfilingState timeline_ = ProfilingState::kOff;
  NameTable names_;
  NameTable lanes_;
  Ring<Event> events_;
  Ring<Sample> samples_;
  std::vector<CounterDescription> counters_;       // all that ever were active
  std::map<std::uint32_t, std::uint32_t> active_;  // by id: index in `counters_`
  Refused refused_;
};

}  // namespace backplane::profiling
