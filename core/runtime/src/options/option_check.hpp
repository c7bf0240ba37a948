#pragma once

#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/plugin_object.hpp>

#include <string>
#include <vector>

namespace backplane {

/// The options among `given` that are meant for one backend, checked against what it declares. An
/// integer given for a float counts as that float.
/// Errors: DiagnosticException with kUnknownOption or kInvalidOption; several mistakes are causes
/// of one. kBackendThrew.
BackendOptions CollectOptions(const PluginObject<IBackendInternal>& backend,
                              const std::vector<BackendOptions>& given);

/// The same, from what a backend declares.
BackendOptions CheckOptions(const std::string& backend_id, const std::vector<OptionSchema>& schemas,
                            const std::vector<BackendOptions>& given);

/// Checks that options are meant for backends that exist. Options for a backend that was found but
/// cannot be used are let pass: an application may run where a device is missing.
/// Errors: DiagnosticException with kBackendNotRegistered.
void CheckOptionTargets(const BackendRegistry& registry, const std::vector<BackendOptions>& given);

}  // namespace backplane
