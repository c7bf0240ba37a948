// A backend whose author did not include the header that gives the entry points C linkage.
#include <backplane/api/abi_note.hpp>

#include <cstdint>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char* GetBackendId();
EXPORTED void GetVersion(std::uint32_t* major, std::uint32_t* minor);
EXPORTED void* BackendFactory();

const char* GetBackendId() {
  return "Mangled";
}
void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}
void* BackendFactory() {
  return nullptr;
}
