#pragma once

/// Runs a loaded model as often as standard input says, so that another program can take turns
/// with it.

#include "raw_tensor.hpp"

#include <functional>
#include <vector>

namespace backplane::bench {

/// Runs the model so many times, and gives the microseconds of each run. Called by several threads.
using RunModel = std::function<std::vector<double>(int num_runs)>;

/// The outputs of one run.
using GetOutputs = std::function<std::vector<RawTensor>()>;

/// Prints one line of JSON when it begins: load_ms, peak_mb. Then, for each line "run RUNS CLIENTS"
/// that it reads: every client, a thread of its own and not the one that loaded the model, runs it
/// so many times. The answer has the microseconds of each run, the seconds of all together, and the
/// processor time that the process used meanwhile. For a line "write FOLDER", the outputs of a run
/// are written there, see WriteOutput.
void Serve(double load_ms, const RunModel& run, const GetOutputs& get_outputs);

}  // namespace backplane::bench
