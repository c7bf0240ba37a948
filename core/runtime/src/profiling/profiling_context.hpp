#pragma once

#include "profiling/recorder.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/i_backend_profiling_context.hpp>
#include <backplane/host/plugin_object.hpp>
#include <backplane/runtime/profiling.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::profiling {

/// The profiling side of one backend for one runtime. What the backend throws or refuses is a
/// diagnostic of the recorder, and the rest goes on.
///
/// Threads: one at a time.
class ProfilingContext {
 public:
  /// Makes it; a backend may have none. The recorder and the context of the backend stay as long;
  /// null: the backend has no context.
  ProfilingContext(const PluginObject<IBackendInternal>& backend, IBackendContext* context,
                   Recorder& recorder);
  /// Turns off what is on.
  ~ProfilingContext();
  ProfilingContext(const ProfilingContext&) = delete;
  ProfilingContext& operator=(const ProfilingContext&) = delete;

  const std::string& GetBackendId() const { return origin_->backend_id; }

  /// Turns on what the options ask for. Called once.
  /// Errors: DiagnosticException with kUnknownCounter.
  void Start(const ProfilingOptions& options);

 private:
  std::vector<CounterDescription> AskForCounters();
  void ActivateCounters(const std::vector<CounterDescription>& counters, std::uint64_t period_us);
  void StartTimeline();
  void Note(const char* function, const std::string& why, const Diagnostic* cause);
  bool IsRefused(const char* function, const PluginResult<Status>& result);

  std::shared_ptr<const PluginOrigin> origin_;
  Recorder& recorder_;
  std::shared_ptr<BackendSink> sink_;  // stays longer than the context
  PluginObject<IBackendProfilingContext> context_;
  bool has_counters_ = false;
  bool has_timeline_ = false;
};

}  // namespace backplane::profiling
