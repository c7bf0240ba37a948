#pragma once

/// The whole of backplane-measure, the program in which the speed of backends is measured.

#include <backplane/runtime/export.hpp>

namespace backplane {

/// As RunProbeProgram, which it calls, and can measure. Only for the program backplane-measure:
/// takes the process over.
/// Returns the process's exit code.
/// [one at a time]
BACKPLANE_RUNTIME_API int RunMeasureProgram(int argc, const char* const* argv);

}  // namespace backplane
