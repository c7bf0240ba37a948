#pragma once

#include "assignment/network_backend.hpp"
#include "memory/arena_block.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>

namespace backplane {

/// One backend of one loaded network: its workload factory and its memory manager.
struct LoadedBackend {
  // In reverse order of destruction.
  std::shared_ptr<const NetworkBackend> backend;
  PluginObject<IMemoryManager> memory_manager;  // empty when the backend has none
  PluginObject<IWorkloadFactory> factory;
};

/// Makes both.
/// Errors: DiagnosticException with kBackendThrew, or kWorkloadNotCreated when there is no factory.
LoadedBackend LoadBackend(std::shared_ptr<const NetworkBackend> backend);

}  // namespace backplane
