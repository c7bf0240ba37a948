#pragma once

#include <backplane/host/backend_registry.hpp>

namespace backplane {

/// Says that `refused` cannot be registered because `holder` has its id.
Diagnostic DescribeTakenId(const BackendRegistration& holder, const BackendRegistration& refused);

}  // namespace backplane
