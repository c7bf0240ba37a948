#pragma once

#include "isolation/worker_process.hpp"
#include "probing/probe_request.hpp"

#include <backplane/api/i_logger.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/forks.hpp>
#include <backplane/host/isolation.hpp>

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace backplane::isolation {

inline constexpr char kIsolationChannel[] = "isolation";  // of the log

/// The processes of a backend are started with this.
struct WorkerPlan {
  std::string backend_id;
  std::string program;
  probing::PluginFile file;
  IsolationSettings settings;
  probing::SandboxPlan sandbox;
  std::shared_ptr<ILogger> logger;
  WorkerStarter starter = StartWorkerProcess;
  std::uint32_t num_forks = CountForks();  // of this process, when it was made
  std::int64_t owner = getpid();           // the process that it was made in
};

/// Whether this process is a fork of the one that made the plan. Then nothing of its workers is
/// touched: sockets, lanes and areas are shared with the parent, and locks may be held for ever.
inline bool IsForked(const WorkerPlan& plan) {
  return plan.num_forks != CountForks();
}
/// Errors: DiagnosticException with kForked.
void RefuseFork(const WorkerPlan& plan);

/// The wait for a process has ended: the limit of a WorkLimitScope is reached.
struct LimitReached : DiagnosticException {
  using DiagnosticException::DiagnosticException;
};

/// Errors: LimitReached.
[[noreturn]] void ThrowLimitReached(const WorkerPlan& plan);
/// Locks within the limit of the calling thread.
/// Errors: LimitReached.
std::unique_lock<std::mutex> LockWithinLimit(std::mutex& mutex, const WorkerPlan& plan);

/// "1st", "2nd", "3rd", "4th", ... "11th", ... "21st".
inline std::string DescribeOrdinal(std::uint64_t number) {
  constexpr const char* kEndings[] = {"th", "st", "nd", "rd"};
  const bool is_teen = number / 10 % 10 == 1;
  const std::uint64_t last = number % 10;
  return std::to_string(number) + (is_teen || last > 3 ? "th" : kEndings[last]);
}

}  // namespace backplane::isolation
