#pragma once

#include "options/options.hpp"
#include "report/latency.hpp"
#include "running/progress.hpp"
#include "running/session.hpp"

#include <vector>

namespace backplane::execute_network {

/// What the measured runs came to.
struct Measurement {
  RunTimes times;
  std::vector<RunMemory> outputs;  // of each thread's last run
};

/// Runs a network as often, and on as many threads at once, as the options say, first without
/// measuring and then with.
/// Errors: those of Session::Run, the first of any thread.
Measurement Measure(const Options& options, Session& session, const RunInputs& inputs,
                    Progress& progress);

}  // namespace backplane::execute_network
