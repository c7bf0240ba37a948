#pragma once

#include "assignment/network_backend.hpp"
#include "loading/backend_context.hpp"
#include "loading/network_events.hpp"
#include "runtime/late_report.hpp"

#include <backplane/host/backend_registry.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane {

/// The contexts of one runtime, one for each backend. Those of backends that are opened at first
/// use are added when a network first uses them.
///
/// Threads: any.
class RuntimeContexts {
 public:
  using Made = std::vector<std::unique_ptr<BackendContext>>;

  /// `made` are those that exist already.
  RuntimeContexts(std::shared_ptr<const BackendRegistry> registry, Made made, LateBackends late);

  /// The contexts of backends, without empty ones. They stay as long as this object.
  /// Errors: DiagnosticException as the constructor of BackendContext, for one that is made now.
  UsedContexts GetFor(const std::vector<std::shared_ptr<const NetworkBackend>>& backends);

 private:
  BackendContext& FindOrMake(const std::string& backend_id);
  std::unique_ptr<BackendContext> Make(const std::string& backend_id) const;

  std::shared_ptr<const BackendRegistry> registry_;
  LateBackends late_;
  std::mutex mutex_;
  Made contexts_;
};

}  // namespace backplane
