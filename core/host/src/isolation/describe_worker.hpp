#pragma once

#include "isolation/worker_process.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/isolation.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane::isolation {

/// What is known of a process that ended, besides how.
struct WorkerDeath {
  std::string backend_id;
  std::string path;
  std::string why_ended;             // by this host; "": it was not
  std::vector<std::string> running;  // layers, as words
  bool is_sandboxed = false;
};

Diagnostic DescribeWorkerDeath(const WorkerDeath& death, const WorkerEnd& end);

/// It died too often.
Diagnostic DescribeStaysOut(const std::string& backend_id, std::size_t num_deaths,
                            const IsolationSettings& settings, const Diagnostic& last);

/// This process is a fork of `owner`, which made the runtime.
Diagnostic DescribeForked(const std::string& backend_id, std::int64_t owner);

/// What a backend threw, with the limits that it seems to have met.
std::string NameLimitsMet(std::string thrown, const IsolationSettings& settings);

/// "1st", "2nd", "3rd", "4th", ... "11th", ... "21st".
std::string DescribeOrdinal(std::uint64_t number);

}  // namespace backplane::isolation
