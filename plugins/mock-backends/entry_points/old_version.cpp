/// GetVersion has an old version only, which dlsym does not find.

#include <backplane/api/backend_version.hpp>

#define EXPORTED extern "C" __attribute__((visibility("default"), used))

EXPORTED const char* GetBackendId() {
  return BACKPLANE_MOCK_NAME;
}

EXPORTED void GetOldVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = backplane::kBackendApiVersion.major;
  *outMinor = backplane::kBackendApiVersion.minor;
}
__asm__(".symver GetOldVersion, GetVersion@V1");

EXPORTED void* BackendFactory() {
  return nullptr;
}
