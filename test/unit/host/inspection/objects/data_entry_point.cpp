// GetBackendId is a variable.
#include <backplane/api/abi_note.hpp>

#include <cstdint>

#define EXPORTED __attribute__((visibility("default")))

extern "C" {
extern EXPORTED const char* const GetBackendId;
EXPORTED void GetVersion(std::uint32_t* major, std::uint32_t* minor);
EXPORTED void* BackendFactory();
}

const char* const GetBackendId = "DataEntryPoint";
void GetVersion(std::uint32_t* major, std::uint32_t* minor) {
  *major = 1;
  *minor = 0;
}
void* BackendFactory() {
  return nullptr;
}
