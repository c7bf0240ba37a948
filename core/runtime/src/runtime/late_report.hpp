#pragma once

#include "placement/runtime_contexts.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/late_backend.hpp>
#include <backplane/host/load_report.hpp>

#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace backplane {

/// The load report of a runtime: what was found when it was made, and what came of the backends
/// that were opened since then.
///
/// Threads: any.
class LateReport {
 public:
  LateReport(LoadReport report, const LateBackends& late);

  /// As of now. What the reference leads to stays as it is, and as long as this object.
  const LoadReport& Get() const;

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<LateBackend>> waiting_;  // those not in the report yet
  mutable std::list<LoadReport> versions_;  // never empty, the last is the newest
};

/// Throws kNoBackends: says where was looked, or that every backend is disabled. The causes are the
/// errors and warnings of the report, `reasons` unless they are in it, and what is disabled.
[[noreturn]] void ThrowNoBackends(const LoadReport& report, const std::vector<Diagnostic>& reasons);

}  // namespace backplane
