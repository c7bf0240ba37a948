#include <backplane/runtime/profiling.hpp>

namespace backplane {

const char* GetProfileEventKindName(ProfileEventKind kind) {
  switch (kind) {
    case ProfileEventKind::kScan:
      return "scan";
    case ProfileEventKind::kOpening:
      return "opening";
    case ProfileEventKind::kOptimize:
      return "optimize";
    case ProfileEventKind::kPhase:
      return "phase";
    case ProfileEventKind::kLoad:
      return "load";
    case ProfileEventKind::kUnload:
      return "unload";
    case ProfileEventKind::kRun:
      return "run";
    case ProfileEventKind::kCopy:
      return "copy";
    case ProfileEventKind::kLayer:
      return "layer";
    case ProfileEventKind::kWait:
      return "wait";
    case ProfileEventKind::kBackend:
      return "backend";
  }
  return "unknown";
}

}  // namespace backplane
