#pragma once

#include "backend/progress_observer.hpp"

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/contexts.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::backend {

/// How much a backend is asked.
enum class Questions {
  kEssential,  // what registering it takes
  kAll,        // also its options, tensor-handle factories and operators
};

struct TrialRequest {
  Questions questions = Questions::kEssential;
  const ContextSettings* context = nullptr;  // null: no context is made
  ProgressObserver* observer = nullptr;      // null: nobody is told
};

/// What came of making a backend once.
struct Trial {
  BackendCapabilities capabilities;
  std::vector<OptionSchema> option_schemas;
  std::vector<std::string> tensor_handle_factories;
  std::optional<std::vector<std::string>> operators;  // as "domain/type/versions"
  std::vector<Diagnostic> warnings;
  LoadedContext context;
  std::optional<Diagnostic> failure;  // IsUnavailability when it cannot work here
};

/// Makes a backend, checks that both of its ids agree, makes its context and asks it.
Trial TryBackend(const BackendRegistration& registration, const TrialRequest& request);

}  // namespace backplane::backend
