// Layers of operators that a backend declares.
#pragma once

#include "table/instance.hpp"

#include <backplane/api/descriptors/custom.hpp>
#include <backplane/api/layer_type.hpp>

#include <string>

namespace backplane::table {

/// The descriptor of a layer as C has it: of a custom one, without what the host keeps for itself.
class CDescriptor {
 public:
  /// Null: the descriptor, of a layer that has none.
  CDescriptor(LayerType type, const BaseDescriptor* descriptor);
  CDescriptor(const CDescriptor&) = delete;
  CDescriptor& operator=(const CDescriptor&) = delete;

  const void* Get() const { return descriptor_; }

 private:
  bp_custom_descriptor custom_{};
  const void* descriptor_;
};

/// Why the backend does not have the operator of a custom layer; "" when it declares it.
/// Errors: DiagnosticException.
std::string FindUndeclared(const Instance& instance, const Scope& scope,
                           const CustomDescriptor& descriptor);

/// How the outputs that the backend infers differ from those of the layer; "" when they do not.
/// Errors: DiagnosticException.
std::string FindOtherOutputs(const Instance& instance, const bp_layer_args& args);

}  // namespace backplane::table
