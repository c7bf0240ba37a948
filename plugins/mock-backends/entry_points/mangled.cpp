/// The three functions with C++ linkage, as they come out when entry_points.hpp is not included.

#include <backplane/api/backend_version.hpp>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char* GetBackendId() {
  return BACKPLANE_MOCK_NAME;
}

EXPORTED void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = backplane::kBackendApiVersion.major;
  *outMinor = backplane::kBackendApiVersion.minor;
}

EXPORTED void* BackendFactory() {
  return nullptr;
}
