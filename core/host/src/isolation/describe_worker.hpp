#pragma once

#include "isolation/worker_process.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/isolation.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace backplane::isolation {

/// What is known of a process that ended, besides how.
struct WorkerDeath {
  std::string backend_id;
  std::string path;
  std::string why_ended;             // by this host; "": it was not
  std::vector<std::string> running;  // layers, as words
};

Diagnostic DescribeWorkerDeath(const WorkerDeath& death, const WorkerEnd& end);

/// It died too often.
Diagnostic DescribeStaysOut(const std::string& backend_id, std::size_t num_deaths,
                            const IsolationSettings& settings, const Diagnostic& last);

/// Of this process's environment, what a backend needs.
std::vector<std::string> MakeWorkerEnvironment();

}  // namespace backplane::isolation
