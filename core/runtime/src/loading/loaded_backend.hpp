#pragma once

#include "memory/arena_block.hpp"
#include "placement/network_backend.hpp"

#include <backplane/api/i_workload_factory.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>

namespace backplane {

/// One backend of one loaded network, with its workload factory.
struct LoadedBackend {
  // In reverse order of destruction.
  std::shared_ptr<const NetworkBackend> backend;
  PluginObject<IWorkloadFactory> factory;
};

/// Makes the workload factory.
/// Errors: DiagnosticException with kBackendThrew, or kWorkloadNotCreated when there is no factory.
LoadedBackend LoadBackend(std::shared_ptr<const NetworkBackend> backend);

}  // namespace backplane
