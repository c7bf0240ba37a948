// Two entry points that are not exported, one of them with C++ linkage too.
#include <backplane/api/abi_note.hpp>

#include <cstdint>

#define EXPORTED __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden"), used))

extern "C" EXPORTED const char* GetBackendId();
extern "C" HIDDEN void GetVersion(std::uint32_t* major, std::uint32_t* minor);
HIDDEN void* BackendFactory();

const char* GetBackendId() {
  return "HiddenVersion";
}
void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}
void* BackendFactory() {
  return nullptr;
}
