#pragma once

/// The version of the Backend API, and the one rule that decides compatibility.

#include <backplane/api/abi_note.hpp>

#include <cstdint>

namespace backplane {

/// A version of the Backend API, as major.minor. Frozen layout.
struct BackendVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

constexpr bool operator==(BackendVersion a, BackendVersion b) {
  return a.major == b.major && a.minor == b.minor;
}
constexpr bool operator!=(BackendVersion a, BackendVersion b) {
  return !(a == b);
}
constexpr bool operator<(BackendVersion a, BackendVersion b) {
  return a.major != b.major ? a.major < b.major : a.minor < b.minor;
}
constexpr bool operator<=(BackendVersion a, BackendVersion b) {
  return !(b < a);
}

/// The version that these headers describe.
constexpr BackendVersion kBackendApiVersion{BP_API_MAJOR, BP_API_MINOR};

/// Says whether a host of version `host` can use a backend built with version `backend`.
///
/// True when the majors are equal and the backend's minor is not greater than the host's: a host
/// keeps every promise of the earlier minors of its major, and cannot know those of later ones.
constexpr bool IsCompatible(BackendVersion backend, BackendVersion host) {
  return backend.major == host.major && backend.minor <= host.minor;
}

}  // namespace backplane
