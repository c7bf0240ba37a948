#pragma once

#include "test_backend.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// The calls of a profiling context that a test can make fail.
enum class ProfilingPoint {
  kCreate,
  kGetCounters,
  kActivateCounters,
  kSetTimeline,
};

/// A test backend that has a profiling side, and what was done to that. Its calls are events of the
/// TestBackend.
struct ProfilingBackend {
  explicit ProfilingBackend(const std::string& id) : test(std::make_shared<TestBackend>(id)) {}

  std::shared_ptr<TestBackend> test;
  bool has_profiling_context = true;
  std::vector<CounterDescription> counters;
  std::map<ProfilingPoint, FailureKind> failures;
  /// What it was given; null before and after.
  IBackendProfiling* sink = nullptr;
  IBackendContext* context = nullptr;
};

CounterDescription MakeCounter(std::uint32_t id, const std::string& name,
                               const std::string& unit = "");

BackendRegistration MakeRegistration(const std::shared_ptr<ProfilingBackend>& backend);

}  // namespace backplane
