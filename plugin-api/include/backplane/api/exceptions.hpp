#pragma once

#include <backplane/api/backend_version.hpp>

#include <exception>
#include <string>
#include <utility>

namespace backplane {

/// Thrown by a backend's factory, or by CreateBackendContext, when the backend is sound but cannot
/// work on this machine now: no device, no driver, no licence. The text says which. The backend is
/// then listed as unavailable, which is no failure.
class BackendUnavailableException : public std::exception {
 public:
  explicit BackendUnavailableException(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

}  // namespace backplane
