#pragma once

/// Options for backends: what each declares, what an application gives, and texts that stand for
/// values.

#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// The options that a backend declares, for a runtime and for a network. Makes the backend, and so
/// opens its file when this is the first use, unless it told them in a process of its own.
/// Errors: DiagnosticException as BackendRegistry::CreateBackend; kBackendThrew.
/// [any thread]
BACKPLANE_HOST_API std::vector<OptionSchema> GetOptionSchemas(const BackendRegistry& registry,
                                                              const std::string& id);

/// The value of a type that a text stands for: true, false, on, off, yes, no, 1 and 0 for a bool,
/// decimal numbers for an int and a float, and the text itself for a string.
/// Null: it stands for none.
/// [any thread]
BACKPLANE_HOST_API std::optional<OptionValue> ReadOptionValue(OptionType type,
                                                              const std::string& text);

/// The same, for a value that a schema allows.
/// Errors: DiagnosticException with kInvalidOption when the text stands for none, or for one that
/// the schema does not allow.
/// [any thread]
BACKPLANE_HOST_API OptionValue ParseOptionValue(const OptionSchema& schema,
                                                const std::string& text);

/// The parts of a text "ID:NAME=VALUE".
struct OptionText {
  std::string backend_id;
  std::string name;
  std::string value;
};

/// Takes a text apart. The id ends at the first colon, the name at the first equals sign behind it;
/// the value may be anything.
/// Null: the text is not of that form.
/// [any thread]
BACKPLANE_HOST_API std::optional<OptionText> SplitOption(const std::string& text);

/// The one option that a text "ID:NAME=VALUE" stands for, as a group of its own.
/// Errors: DiagnosticException with kInvalidOption when the text is not of that form, or as
/// ParseOptionValue; kUnknownOption, with the name that was probably meant; as GetOptionSchemas.
/// [any thread]
BACKPLANE_HOST_API BackendOptions ParseOption(const BackendRegistry& registry,
                                              const std::string& text);

/// Where options are given: for a runtime or for a network.
enum class OptionPlace : std::uint32_t {
  kAny = 0,
  kRuntime = BP_OPTION_OF_CONTEXT,
  kNetwork = BP_OPTION_OF_NETWORK,
};

/// The options among `given` that are meant for one backend, checked against what it declares. An
/// integer given for a float counts as that float.
/// Errors: DiagnosticException with kUnknownOption or kInvalidOption; several mistakes are causes
/// of one.
/// [any thread]
BACKPLANE_HOST_API BackendOptions CheckOptions(const std::string& backend_id,
                                               const std::vector<OptionSchema>& schemas,
                                               const std::vector<BackendOptions>& given,
                                               OptionPlace place);

/// The same for a backend, which is asked what it declares.
/// Errors: as CheckOptions; kBackendThrew.
/// [any thread]
BACKPLANE_HOST_API BackendOptions CollectOptions(const PluginObject<IBackendInternal>& backend,
                                                 const std::vector<BackendOptions>& given,
                                                 OptionPlace place);

/// Checks that something is meant for a backend that exists. One that was found but cannot be used
/// is let pass: an application may run where a device is missing.
/// Errors: DiagnosticException with kBackendNotRegistered.
/// [any thread]
BACKPLANE_HOST_API void RequireKnownBackend(const BackendRegistry& registry, const std::string& id);

/// Whether a diagnostic is about a mistake in options, and so the application's own. [any thread]
BACKPLANE_HOST_API bool IsMistakeInOptions(const Diagnostic& diagnostic);

}  // namespace backplane
