#pragma once

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/late_backend.hpp>

#include <memory>
#include <string>
#include <unordered_map>

namespace backplane {

/// Registered backends that are opened at first use, by id.
using LateBackends = std::unordered_map<std::string, std::shared_ptr<LateBackend>>;

LateBackends CollectLateBackends(const BackendRegistry& registry);

}  // namespace backplane
