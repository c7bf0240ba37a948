#pragma once

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/export.hpp>

#include <memory>
#include <string>

namespace backplane {

/// A backend whose library is open and whose entry points were checked. A malformed file never
/// becomes one. The library stays open as long as this object or anything made from it.
class BACKPLANE_HOST_API DynamicBackend {
 public:
  /// Opens a file and takes it through every stage but "register".
  /// Errors: DiagnosticException with the diagnostic of the stage that failed, the others as
  /// causes.
  /// [any thread]
  static std::shared_ptr<DynamicBackend> Open(const std::string& path);

  /// Made by the host. `registration` has passed "identify".
  explicit DynamicBackend(BackendRegistration registration);
  ~DynamicBackend();
  DynamicBackend(const DynamicBackend&) = delete;
  DynamicBackend& operator=(const DynamicBackend&) = delete;

  /// [any thread]
  const std::string& GetBackendId() const;
  /// The version of the Backend API that the backend declares. [any thread]
  BackendVersion GetBackendVersion() const;
  /// The file, with links resolved. [any thread]
  const std::string& GetPath() const;
  /// What to register under the id. [any thread]
  const BackendRegistration& GetRegistration() const;

  /// Makes a backend.
  /// Errors: DiagnosticException with kBackendThrew, kBackendUnavailable or kNullBackend.
  /// [any thread]
  PluginObject<IBackendInternal> CreateBackend() const;

 private:
  BackendRegistration registration_;
};

}  // namespace backplane
