// A plugin for the peer. Its headers for whole backends are not installed, so the factory says that
// the device is absent: the peer then does everything but make a context, which is in its favour.

#include <armnn/Exceptions.hpp>

#include <cstdint>

extern "C" {

const char* GetBackendId() {
  return "Trivial000000";
}

void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}

void* BackendFactory() {
  throw armnn::BackendUnavailableException("no device");
}

}  // extern "C"
