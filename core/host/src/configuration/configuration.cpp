#include <backplane/host/configuration.hpp>

#include "backend/shared_library.hpp"
#include "configuration/read_configuration.hpp"

#include <cstdlib>

namespace backplane {

Configuration ReadConfiguration(const ConfigurationRequest& request) {
  return configuration::ReadConfiguration(
      request, {[](const char* name) -> const char* { return secure_getenv(name); },
                DYNAMIC_BACKEND_PATHS, backend::GetOwnDirectory(), BACKPLANE_CONFIGURATION_DIR});
}

}  // namespace backplane
