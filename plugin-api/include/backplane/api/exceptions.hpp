#pragma once

#include <backplane/api/backend_version.hpp>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace backplane {

/// Why a backend cannot work here; see unavailability_reasons.def.
enum class UnavailabilityReason : std::uint32_t {
#define BACKPLANE_UNAVAILABILITY_REASON(name, number, text, cure) k##name = number,
#include <backplane/api/unavailability_reasons.def>
#undef BACKPLANE_UNAVAILABILITY_REASON
};

/// Thrown by a backend's factory, or by CreateBackendContext, when the backend is sound but cannot
/// work on this machine now: no device, no driver, no licence. The text says which, the reason what
/// kind of cause it is. The backend is then listed as unavailable, which is no failure.
class BackendUnavailableException : public std::exception {
 public:
  explicit BackendUnavailableException(std::string text,
                                       UnavailabilityReason reason = UnavailabilityReason::kOther)
      : text_(std::move(text)), reason_(reason) {}
  const char* what() const noexcept override { return text_.c_str(); }
  UnavailabilityReason GetReason() const noexcept { return reason_; }

 private:
  std::string text_;
  UnavailabilityReason reason_;
  [[maybe_unused]] std::uint32_t reserved_[3] = {};
};

/// Thrown by CreateBackendContext when the backend cannot use the allocator that it is given. The
/// text says why, and is shown to the application's developer. The backend is then listed as
/// unavailable.
class UnsupportedException : public std::exception {
 public:
  explicit UnsupportedException(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Thrown by IWorkload::Execute for values of its inputs that the layer cannot have, such as an
/// index outside of its axis. The text says what was found and what is possible. The run fails with
/// kInvalidArgument, and the backend is not to blame.
class InvalidArgumentException : public std::exception {
 public:
  explicit InvalidArgumentException(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

}  // namespace backplane
