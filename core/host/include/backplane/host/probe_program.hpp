#pragma once

/// The whole of the programs in which backends run in processes of their own.

#include <backplane/host/dynamic_backend.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/load_report.hpp>

#include <functional>
#include <string>
#include <vector>

namespace backplane {

/// Told the name of each network before anything of it runs on the backend.
using BeginNetwork = std::function<void(const std::string& network)>;

/// Runs the fixed set of networks on a backend, and says of each how long it took or why it did not
/// run. What it throws ends the process.
using MeasureBackend = std::vector<NetworkTime> (*)(const DynamicBackend& backend,
                                                    const BeginNetwork& begin);

/// Does what a host asked for with the arguments, and writes the account into descriptor 3. Only
/// for the programs backplane-probe and backplane-measure: takes the process over.
/// Null: without `measure`, the program cannot measure.
/// Returns the process's exit code.
/// [one at a time]
BACKPLANE_HOST_API int RunProbeProgram(int argc, const char* const* argv,
                                       MeasureBackend measure = nullptr);

}  // namespace backplane
