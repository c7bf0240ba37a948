// GetVersion is of an old version only; BackendFactory of an old and of the default one.
#include <backplane/api/backend.hpp>

#define EXPORTED extern "C" __attribute__((visibility("default"), used))

const char* GetBackendId() {
  return "OldVersion";
}

EXPORTED void GetOldVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = BP_API_MAJOR;
  *minor = BP_API_MINOR;
}
__asm__(".symver GetOldVersion, GetVersion@V1");

EXPORTED void* MakeOldBackend() {
  return nullptr;
}
EXPORTED void* MakeNewBackend() {
  return nullptr;
}
__asm__(".symver MakeOldBackend, BackendFactory@V1");
__asm__(".symver MakeNewBackend, BackendFactory@@V2");
