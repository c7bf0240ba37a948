#pragma once

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/api/static_backend.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

class LateBackend;

/// The rank among capabilities; 0 when they state none. [any thread]
BACKPLANE_HOST_API std::int64_t GetRank(const BackendCapabilities& capabilities);

/// Makes a backend. Runs plugin code and may throw.
using BackendFactoryFunction = std::function<std::unique_ptr<IBackendInternal>()>;

/// What is registered under an id.
struct BackendRegistration {
  std::shared_ptr<const PluginOrigin> origin;  // never null; has the id
  BackendFactoryFunction factory;              // never empty
  std::string source;                          // the file, or "static"
  BackendCapabilities capabilities;            // as they were when it was registered
  std::shared_ptr<LateBackend> late = {};      // null unless the file is opened at first use
};

/// The backends that can be used, by id, in the order of registration. Also remembers why others
/// cannot, so that asking for one of those gives its reason.
///
/// One for each process holds the backends linked statically. Each runtime has its own, made as a
/// copy of that one, with its dynamic backends added.
class BACKPLANE_HOST_API BackendRegistry {
 public:
  BackendRegistry();
  /// Copies what is registered; later changes of either are not seen by the other.
  BackendRegistry(const BackendRegistry& other);
  BackendRegistry& operator=(const BackendRegistry&) = delete;
  ~BackendRegistry();

  /// The registry of the process, for backends linked statically. [any thread]
  static BackendRegistry& GetProcessRegistry();

  /// Registers a backend.
  /// Errors: DiagnosticException with kBackendIdTaken when the id is registered; names both
  /// sources. Nothing changes then.
  /// [any thread]
  void Register(BackendRegistration registration);

  /// Removes a backend; objects made from it stay valid.
  /// Errors: DiagnosticException with kBackendNotRegistered.
  /// [any thread]
  void Deregister(const std::string& id);

  /// [any thread]
  bool IsBackendRegistered(const std::string& id) const;

  /// What is registered under the id. Of a backend that is opened at first use: until then what its
  /// manifest says, and an origin without library.
  /// Errors: DiagnosticException with kBackendRejected, with the reasons as causes, for an id that
  /// was remembered as unusable, or a name of a file that was; with kBackendNotRegistered for any
  /// other, and the id that was probably meant: that of the file named so, or the nearest.
  /// [any thread]
  BackendRegistration GetRegistration(const std::string& id) const;

  /// The factory of the id. Errors: as GetRegistration. [any thread]
  BackendFactoryFunction GetFactory(const std::string& id) const;

  /// Makes a backend; opens its file when this is the first use.
  /// Errors: as GetRegistration; kFailedAtFirstUse; kBackendThrew, kBackendUnavailable or
  /// kNullBackend for what the factory does.
  /// [any thread]
  PluginObject<IBackendInternal> CreateBackend(const std::string& id) const;

  /// In the order of registration. [any thread]
  std::vector<std::string> GetBackendIds() const;

  /// [any thread]
  std::size_t Size() const;

  /// Remembers why the backend with this id cannot be used. A registered id is not affected.
  /// [any thread]
  void RememberUnusable(const std::string& id, Diagnostic reason);

  /// Remembers why a file cannot be used, for those who ask for it by its name, by <vendor>_<name>
  /// or by <name>, which by custom is the id.
  /// [any thread]
  void RememberUnusableFile(const std::string& path, Diagnostic reason);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Registers a backend linked into the program, after the checks that a dynamic one passes from
/// "identify" on, except that its context is made with each runtime.
/// Errors: DiagnosticException with the diagnostic of the check that failed.
/// [any thread]
BACKPLANE_HOST_API void RegisterStaticBackend(
    const StaticEntryPoints& entry_points,
    BackendRegistry& registry = BackendRegistry::GetProcessRegistry());

}  // namespace backplane
