// A backend of another host that uses the same three names.
#include <cstdint>

#define EXPORTED __attribute__((visibility("default")))

extern "C" {
EXPORTED const char* GetBackendId();
EXPORTED void GetVersion(std::uint32_t* major, std::uint32_t* minor);
EXPORTED void* BackendFactory();
}

const char* GetBackendId() {
  return "OtherHost";
}
void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}
void* BackendFactory() {
  return nullptr;
}
