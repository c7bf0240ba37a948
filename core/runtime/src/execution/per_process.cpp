#include "execution/per_process.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/logging.hpp>

#include <unistd.h>

#include <string>

namespace backplane {

void LogMadeAnew(const char* what) {
  Diagnostic diagnostic{DiagnosticCode::kForked, Severity::kNote};
  diagnostic.what =
      "process " + std::to_string(getpid()) + " has " + what + " of its own from now on";
  diagnostic.why =
      "found that it was forked after the runtime was made; the one from before is its parent's";
  diagnostic.fix = "nothing needs to be done: what was queued before is done by the parent";
  Log("runtime", LogLevel::kInfo, ToText(diagnostic));
}

}  // namespace backplane
