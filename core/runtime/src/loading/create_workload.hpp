#pragma once

#include "bridging/kind_table.hpp"
#include "loading/loaded_backend.hpp"
#include "network/bridged_network.hpp"
#include "network/shown_constants.hpp"
#include "network/tensor_numbers.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/host/plugin_object.hpp>

namespace backplane {

/// Makes the workload of one layer, which stays valid as long as the constants of the network.
/// Errors: DiagnosticException with kWorkloadNotCreated, naming layer and backend; what the backend
/// threw is its cause.
PluginObject<IWorkload> CreateWorkload(const LoadedBackend& backend, const BridgedNetwork& network,
                                       const TensorNumbers& numbers, const ShownConstants& shown,
                                       const KindTable& table, const Layer& layer);

}  // namespace backplane
