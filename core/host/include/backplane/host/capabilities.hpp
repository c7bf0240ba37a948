#pragma once

/// What backends say of themselves, looked up by name and type.

#include <backplane/api/backend_options.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/export.hpp>

#include <string>

namespace backplane {

/// How a capability that is looked for compares with what a backend states.
enum class CapabilityMatch {
  kAbsent,     // the backend does not state it
  kWrongType,  // stated, with a value of another type
  kDifferent,  // stated, with another value of the type
  kSame,
};

/// "absent", "wrong type", ... Static storage. [any thread]
BACKPLANE_HOST_API const char* GetCapabilityMatchName(CapabilityMatch match);

/// The value stated under a name; the first, when it is stated more than once.
/// Ownership: that of `capabilities`.
/// Null: it is not stated.
/// [any thread]
BACKPLANE_HOST_API const OptionValue* FindCapability(const BackendCapabilities& capabilities,
                                                     const std::string& name);

/// Compares a capability with what is wanted. No value is converted: an int is no float.
/// [any thread]
BACKPLANE_HOST_API CapabilityMatch MatchCapability(const BackendCapabilities& capabilities,
                                                   const BackendOption& wanted);

/// Whether a bool is stated as true. A value of another type does not count. [any thread]
BACKPLANE_HOST_API bool HasCapability(const BackendCapabilities& capabilities,
                                      const std::string& name);

/// What a backend states now. Makes the backend, and so opens its file when this is the first use;
/// BackendRegistration::capabilities are what was stated when it was registered.
/// Errors: DiagnosticException as BackendRegistry::CreateBackend; kBackendThrew.
/// [any thread]
BACKPLANE_HOST_API BackendCapabilities GetCapabilities(const BackendRegistry& registry,
                                                       const std::string& id);

/// "true", "7", "0.5" or "\"text\"". [any thread]
BACKPLANE_HOST_API std::string ToText(const OptionValue& value);

/// "bool", "int", "float" or "string". Static storage. [any thread]
BACKPLANE_HOST_API const char* GetOptionTypeName(OptionType type);

}  // namespace backplane
