#include "contexts/late_backends.hpp"

#include <utility>

namespace backplane {

LateBackends CollectLateBackends(const BackendRegistry& registry) {
  LateBackends late;
  for (const std::string& id : registry.GetBackendIds()) {
    BackendRegistration registration = registry.GetRegistration(id);
    if (registration.late) late.emplace(id, std::move(registration.late));
  }
  return late;
}

}  // namespace backplane
