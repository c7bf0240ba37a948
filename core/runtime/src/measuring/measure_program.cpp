#include <backplane/runtime/measure_program.hpp>

#include "measuring/measure_backend.hpp"

#include <backplane/host/probe_program.hpp>

namespace backplane {

int RunMeasureProgram(int argc, const char* const* argv) {
  return RunProbeProgram(argc, argv, measuring::MeasureBackend);
}

}  // namespace backplane
