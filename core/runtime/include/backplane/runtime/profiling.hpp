#pragma once

/// What was measured: by the core, and by backends of what only they see.

#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/api/subgraph_view.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/export.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// Which counters of backends are sampled.
enum class CounterChoice {
  kNamed,  // exactly those of ProfilingOptions::named_counters
  kAll,    // every counter that a backend has
};

/// Counters of one backend.
struct NamedCounters {
  std::string backend_id;
  std::vector<std::string> names;
};

/// What a runtime measures. Nothing by default: nothing is then timed, and runs are as fast as
/// without all this.
struct ProfilingOptions {
  ProfilingState state = ProfilingState::kOff;
  ProfilingState timelines = ProfilingState::kOn;  // of backends, when `state` is kOn
  CounterChoice counters = CounterChoice::kNamed;
  std::vector<NamedCounters> named_counters;
  std::uint64_t counter_period_us = 1000;  // at most one sample of a counter in this time
  /// For how many events there is room: of each run that goes on at the same time, of each
  /// backend, and of all else. The newest are kept. Totals of layers count every run.
  std::uint32_t max_events = 1U << 16U;
};

enum class ProfileEventKind : std::uint32_t {
  kScan,      // looking for backends
  kOpening,   // one stage of opening the file of a backend
  kOptimize,  // Optimize
  kPhase,     // a part of Optimize or of LoadNetwork
  kLoad,      // LoadNetwork
  kUnload,    // UnloadNetwork
  kRun,       // EnqueueWorkload
  kCopy,      // of inputs into the network's memory, or of outputs out of it
  kLayer,     // one layer of a run
  kBackend,   // reported by a backend
  kWait,      // of a run, for the work of a layer that had not finished when its backend returned
};

/// "scan", "opening", ... Static storage. [any thread]
BACKPLANE_RUNTIME_API const char* GetProfileEventKindName(ProfileEventKind kind);

/// Something that lasted. Times are nanoseconds of the steady clock.
struct ProfileEvent {
  ProfileEventKind kind = ProfileEventKind::kScan;
  std::uint32_t lane = 0;  // index in Profile::lanes
  std::string name;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;  // not before begin_ns
  std::string backend_id;    // "" when it is the core's own
  std::string type;          // of a layer; else ""
  bool has_failed = false;
};

/// Where events stand one behind the other, or within each other: a thread, a run among those that
/// go on at the same time, or a queue of a backend.
struct ProfileLane {
  std::string backend_id;  // "" for the core's
  std::string name;
};

struct CounterValue {
  std::uint64_t time_ns = 0;
  double value = 0.0;  // finite
};

/// A counter of a backend with its values, in the order in which they were reported.
struct CounterSeries {
  std::string backend_id;
  std::string name;
  std::string unit;
  std::string text;
  std::vector<CounterValue> values;
};

/// All runs of one layer of one loaded network, those that succeeded. Where its backend goes on
/// when it has returned, the time that the run waited for it is part of the layer's.
struct LayerProfile {
  std::string network;
  std::uint32_t network_id = 0;
  LayerId layer = 0;
  std::string name;  // "#3" when it has none
  LayerType type = LayerType::kUndefined;
  std::string backend_id;
  std::uint64_t num_runs = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t min_ns = 0;
  std::uint64_t max_ns = 0;
  double share = 0.0;  // of the total of all layers of the network; 0 to 1
};

/// What a runtime has measured until now.
struct Profile {
  std::uint64_t begin_ns = 0;  // of the steady clock: when the measuring began
  std::uint64_t end_ns = 0;    // when this was made
  std::vector<ProfileLane> lanes;
  std::vector<ProfileEvent> events;     // by lane, and in that by their begin
  std::vector<CounterSeries> counters;  // those that were active
  std::vector<LayerProfile> layers;     // by network, and in that in the order in which they run
  std::uint64_t num_lost_events = 0;    // there was no room for them
  std::uint64_t num_lost_values = 0;    // of counters; there was no room for them
  std::uint64_t num_lost_networks = 0;  // unloaded so long ago that nothing is kept of them
  std::vector<Diagnostic> diagnostics;  // kUnknownCounter, kBackendProfilingFailed and
                                        // kProfilingDataRefused
};

/// As a Chrome trace, which chrome://tracing and Perfetto load: one process for the core and one
/// for each backend, one thread for each lane. docs/trace.schema.json describes it.
/// Units: ts and dur are microseconds; ts counts from Profile::begin_ns.
/// [any thread]
BACKPLANE_RUNTIME_API std::string ToChromeTrace(const Profile& profile);

enum class LayerOrder {
  kAsRun,
  kByTime,  // the longest total first
};

/// As a table with one line for each layer: layer, type, backend, runs, total, mean, share. Below
/// it stand the counters, what was lost, and the diagnostics. [any thread]
BACKPLANE_RUNTIME_API std::string ToText(const Profile& profile,
                                         LayerOrder order = LayerOrder::kAsRun);

}  // namespace backplane
