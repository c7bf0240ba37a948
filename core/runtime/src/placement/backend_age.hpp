#pragma once

#include <backplane/api/backend_version.hpp>
#include <backplane/api/i_layer_support.hpp>

#include <optional>
#include <string>

namespace backplane {

/// Why the host answers in place of a backend that it cannot run a layer: the operator, a data
/// type, a value in the descriptor, or a field of it that is not at its default is newer than the
/// backend, which would not see it. Null: the backend knows all of it.
std::optional<std::string> RefuseWhatIsNewer(const LayerSupportQuery& query,
                                             BackendVersion declared);

}  // namespace backplane
