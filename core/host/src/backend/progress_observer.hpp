#pragma once

#include <backplane/host/load_report.hpp>

namespace backplane::backend {

/// Told of what is about to be done to a candidate, so that a process that does not come back from
/// it can be explained.
class ProgressObserver {
 public:
  virtual ~ProgressObserver() = default;

  virtual void OnStage(Stage stage) = 0;
  /// A function of the backend, just before it is called. Static storage.
  virtual void OnCall(const char* function) = 0;
};

/// Null: nobody is told.
inline void AnnounceCall(ProgressObserver* observer, const char* function) {
  if (observer != nullptr) observer->OnCall(function);
}

}  // namespace backplane::backend
