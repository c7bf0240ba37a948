#pragma once

#include <backplane/api/backend_options.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include "options/options.hpp"

#include <memory>
#include <vector>

namespace backplane::execute_network {

/// A runtime, and the options of backends for networks.
struct PreparedRuntime {
  std::unique_ptr<IRuntime> runtime;
  ModelOptions backend_options;
  std::vector<Diagnostic> warnings = {};  // of preferences that stay out beside earlier ones
};

/// Makes the runtime that the command line asks for. An option of a backend is for the runtime and
/// for the network, unless its schema says that it is for one of them.
/// Backends that the command line names are opened, in the order of preference.
/// Errors: as IRuntime::Create; as BackendRegistry::CreateBackend for a named backend, except for a
/// preference that cannot be in one process with an earlier one;
/// kUnknownOption for --threads when no backend has such an option; as
/// BackendRegistry::GetRegistration for options of a backend that is not available.
PreparedRuntime CreateRuntime(const Options& options, const TensorObserver& observer = {});

}  // namespace backplane::execute_network
