#pragma once

#include "placement/backend_context.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/late_backend.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace backplane {

/// Registered backends that are opened at first use, by id.
using LateBackends = std::unordered_map<std::string, std::shared_ptr<LateBackend>>;

LateBackends CollectLateBackends(const BackendRegistry& registry);

/// The contexts of one runtime, one for each backend. Those of backends that are opened at first
/// use are added when a network first asks them.
///
/// Ownership: shared by the runtime, its device specs and the networks optimised for it, so that a
/// context outlives whatever was made with it.
/// Threads: any.
class RuntimeContexts {
 public:
  RuntimeContexts(std::shared_ptr<const BackendRegistry> registry, LateBackends late,
                  ContextSettings settings);

  /// Takes over a context that exists already.
  void Add(LoadedContext made);

  /// Makes the context of a backend, unless there is one that its process still has. `backend` is
  /// an object of it.
  /// Null: never.
  /// Errors: DiagnosticException as MakeBackendContext.
  std::shared_ptr<BackendContext> Get(const PluginObject<IBackendInternal>& backend);

  /// Those that there are by now.
  std::vector<std::shared_ptr<BackendContext>> GetAll() const;

  MemoryProtection GetProtection() const { return settings_.protection; }

 private:
  /// With the lock. One that is lost is forgotten. Null: there is none.
  std::shared_ptr<BackendContext> Find(const std::string& backend_id);
  LoadedContext Make(const PluginObject<IBackendInternal>& backend) const;

  const std::shared_ptr<const BackendRegistry> registry_;  // keeps the libraries open
  const LateBackends late_;
  const ContextSettings settings_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<BackendContext>> contexts_;
};

}  // namespace backplane
