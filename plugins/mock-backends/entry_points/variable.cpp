/// GetBackendId is a variable: calling it would jump into data.

#include <backplane/api/backend_version.hpp>

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED char GetBackendId[];
char GetBackendId[] = BACKPLANE_MOCK_NAME;

EXPORTED void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = backplane::kBackendApiVersion.major;
  *outMinor = backplane::kBackendApiVersion.minor;
}

EXPORTED void* BackendFactory() {
  return nullptr;
}
