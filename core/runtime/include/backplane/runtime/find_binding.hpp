#pragma once

#include <backplane/runtime/export.hpp>
#include <backplane/runtime/i_network.hpp>

#include <string>
#include <vector>

namespace backplane {

/// The id of the input or output with a name, of those that GetInputs or GetOutputs tell.
/// Errors: DiagnosticException with kWrongTensorBinding when none has it; it lists the names.
/// [any thread] Since: 0.1
BACKPLANE_RUNTIME_API LayerBindingId FindBinding(const std::vector<NetworkBinding>& bindings,
                                                 const std::string& name);

}  // namespace backplane
