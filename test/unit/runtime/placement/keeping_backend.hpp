#pragma once

#include <backplane/host/backend_registry.hpp>

#include <memory>
#include <string>

namespace backplane {

/// A backend that compiles chains of layers, and keeps what it compiled. It adds 1 for each layer.
struct KeepingBackend {
  std::string key = "compiler 1";
  int num_compiled = 0;
  int num_loaded = 0;
};

/// What to register for it, under the id "K".
BackendRegistration MakeRegistration(const std::shared_ptr<KeepingBackend>& backend);

}  // namespace backplane
