#pragma once

#include "profiling/profiling_context.hpp"
#include "profiling/recorder.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/load_report.hpp>
#include <backplane/runtime/profiling.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::profiling {

/// When a backend is opened.
enum class BackendOpening { kAtScan, kLate };

/// The profiling of one runtime: what records, and the profiling contexts of its backends. Outlives
/// neither the contexts of the backends nor their networks; the recorder may outlive it.
///
/// Threads: any.
class RuntimeProfiling {
 public:
  /// Null: when the options turn profiling off.
  static std::unique_ptr<RuntimeProfiling> Make(const ProfilingOptions& options);

  explicit RuntimeProfiling(const ProfilingOptions& options);
  /// The profiling contexts go in the reverse order of their making.
  ~RuntimeProfiling();
  RuntimeProfiling(const RuntimeProfiling&) = delete;
  RuntimeProfiling& operator=(const RuntimeProfiling&) = delete;

  const std::shared_ptr<Recorder>& GetRecorder() const { return recorder_; }

  /// Checks that counters are named of backends that exist.
  /// Errors: DiagnosticException with kBackendNotRegistered.
  void CheckTargets(const BackendRegistry& registry) const;

  /// Makes the profiling context of a backend, once, and again when its process has ended; its
  /// context stays as long as this object.
  /// Whatever the backend does wrong is noted, and the backend then not measured. Of one that is
  /// opened late, mistakes in names are noted like all else.
  /// Errors: DiagnosticException with kUnknownCounter.
  void Start(const BackendRegistry& registry, const std::string& backend_id,
             IBackendContext* context, BackendOpening opening);

  /// What was measured until now, and what the load report says of the opening of files.
  Profile MakeProfile(const LoadReport& report) const;

 private:
  void MakeContext(const BackendRegistry& registry, const std::string& backend_id,
                   IBackendContext* context);
  void Note(const Diagnostic& diagnostic);

  const ProfilingOptions options_;
  const std::shared_ptr<Recorder> recorder_;
  std::mutex mutex_;
  std::map<std::string, std::uint32_t> started_;  // the processes of all; also of those that failed
  std::vector<std::unique_ptr<ProfilingContext>> contexts_;
};

}  // namespace backplane::profiling
