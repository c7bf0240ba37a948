#pragma once

#include "isolation/worker_plan.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdint>
#include <string>

namespace backplane::isolation {

/// How a process ended. `why_ended`: by this host; "": it was not. `running`: its layers, as words.
Diagnostic DescribeWorkerDeath(const WorkerPlan& plan, const std::string& why_ended,
                               const std::string& running, const WorkerEnd& end);

/// "1st", "2nd", "3rd", "4th", ... "11th", ... "21st".
std::string DescribeOrdinal(std::uint64_t number);

}  // namespace backplane::isolation
