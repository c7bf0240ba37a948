#pragma once

#include <backplane/api/i_backend_context.hpp>
#include <backplane/api/i_logger.hpp>
#include <backplane/api/status.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// A counter that a backend can report. Frozen layout.
struct CounterDescription {
  std::uint32_t id = 0;  // the backend's own
  std::uint32_t reserved_word = 0;
  std::string name;
  std::string unit;
  std::string text;
  std::uint64_t reserved[2] = {};
};

/// The value of a counter at a time of the steady clock. Frozen layout.
struct CounterSample {
  std::uint32_t id = 0;
  std::uint32_t reserved = 0;
  std::uint64_t time_ns = 0;
  double value = 0.0;
};

/// Something that lasted on a device, in times of the steady clock. Frozen layout.
struct TimelineEvent {
  std::string name;
  std::string lane;  // what ran it, for example a queue
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t reserved[2] = {};
};

/// Where a backend reports what it measured. Implemented by the host.
class IBackendProfiling {
 public:
  virtual ~IBackendProfiling() = default;

  /// Reports one event.
  /// Errors: kUnsupported when the timeline is off.
  /// [any thread] Since: 1.0
  virtual Status ReportTimelineEvent(const TimelineEvent& event) = 0;

  /// Reports values of active counters. [any thread] Since: 1.0
  virtual Status ReportCounterSamples(const CounterSample* samples, std::uint32_t count) = 0;
};

enum class ProfilingState : std::uint32_t {
  kOff = 0,
  kOn = 1,
};

/// With what a backend's profiling context is made. Filled by the host.
struct ProfilingContextArgs {
  std::uint32_t size_bytes = sizeof(ProfilingContextArgs);
  std::uint32_t reserved = 0;
  IBackendProfiling* profiling = nullptr;  // never null; stays as long as the profiling context
  IBackendContext* context = nullptr;      // of the runtime, stays as long; null when there is none
  ILogger* logger = nullptr;               // never null; stays as long as the profiling context
};

/// The profiling side of a backend.
class IBackendProfilingContext {
 public:
  virtual ~IBackendProfilingContext() noexcept(false) = default;

  /// All counters the backend has.
  /// Conformance: BC0514.
  /// [one at a time] Since: 1.0
  virtual std::vector<CounterDescription> GetCounters() const = 0;

  /// Makes exactly these counters active, sampled at most every `period_us`; none: all inactive.
  /// Errors: kNotFound for an id that is not the backend's; nothing changes.
  /// Conformance: BC0514.
  /// [one at a time] Since: 1.0
  virtual Status ActivateCounters(std::uint64_t period_us, const std::uint32_t* ids,
                                  std::uint32_t count) = 0;

  /// Turns the timeline on or off.
  /// Conformance: BC0514.
  /// [one at a time] Since: 1.0
  virtual Status SetTimeline(ProfilingState state) = 0;
};

}  // namespace backplane
