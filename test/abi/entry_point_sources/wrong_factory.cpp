#include <backplane/api/entry_points.hpp>

backplane::IBackendInternal* BackendFactory() {
  return nullptr;
}
