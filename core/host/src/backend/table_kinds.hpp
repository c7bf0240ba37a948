// The kinds of tensor memory that a backend describes over its table.
#pragma once

#include "backend/instance.hpp"

#include <backplane/api/tensor_handle_factory_registry.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::backend {

/// Registers a backend's own kinds, those whose memory the host gives first.
/// Errors: DiagnosticException.
void RegisterKinds(const InstanceShare& instance, const BackendCallArgs& args,
                   TensorHandleFactoryRegistry& registry);

/// The kinds whose tensors the backend can use, best first.
/// Errors: DiagnosticException.
std::vector<std::string> GetPreferredKinds(const Instance& instance, const BackendCallArgs& args);

/// Which object stands for each of a backend's own kinds in a scope.
/// Errors: DiagnosticException.
std::vector<std::pair<std::string, bp_kind*>> FindKinds(const Instance& instance,
                                                        const Scope& scope);

}  // namespace backplane::backend
