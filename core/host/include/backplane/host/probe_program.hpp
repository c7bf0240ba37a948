#pragma once

/// The whole of the programs in which backends run in processes of their own.

#include <backplane/host/export.hpp>

namespace backplane {

/// Does what a host asked for with the arguments, and writes the account into descriptor 3. Only
/// for the programs backplane-probe and backplane-worker: takes the process over.
/// Returns the process's exit code.
/// [one at a time]
BACKPLANE_HOST_API int RunProbeProgram(int argc, const char* const* argv);

}  // namespace backplane
