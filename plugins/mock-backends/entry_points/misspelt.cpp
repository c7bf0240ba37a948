/// Entry points whose names differ from the right ones in one letter's case.

#include <backplane/api/backend_version.hpp>

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const char* getBackendId() {
  return BACKPLANE_MOCK_NAME;
}

EXPORTED void getVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = backplane::kBackendApiVersion.major;
  *outMinor = backplane::kBackendApiVersion.minor;
}

EXPORTED void* backendFactory() {
  return nullptr;
}
