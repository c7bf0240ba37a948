// One entry point with C linkage, one with C++ linkage, one absent.
#include <backplane/api/abi_note.hpp>

#include <cstdint>

#define EXPORTED __attribute__((visibility("default")))

extern "C" EXPORTED const char* GetBackendId();
EXPORTED void GetVersion(std::uint32_t* major, std::uint32_t* minor);

const char* GetBackendId() {
  return "MangledVersion";
}
void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}
