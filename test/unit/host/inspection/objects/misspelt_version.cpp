// One entry point with the right name and two with slips in it.
#include <backplane/api/i_backend_internal.hpp>

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED const char* GetBackendId();
EXPORTED void GetVersoin(std::uint32_t* major, std::uint32_t* minor);
EXPORTED void* backend_factory();

const char* GetBackendId() {
  return "MisspeltVersion";
}
void GetVersoin(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}
void* backend_factory() {
  return nullptr;
}
