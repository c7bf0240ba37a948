/// Entry points with the right linkage and hidden visibility.

#include <backplane/api/backend_version.hpp>

#define HIDDEN extern "C" __attribute__((visibility("hidden"), used))

HIDDEN const char* GetBackendId() {
  return BACKPLANE_MOCK_NAME;
}

HIDDEN void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = backplane::kBackendApiVersion.major;
  *outMinor = backplane::kBackendApiVersion.minor;
}

HIDDEN void* BackendFactory() {
  return nullptr;
}
