// Plain definitions, without extern "C" and without a macro.
#include <backplane/api/entry_points.hpp>

const char* GetBackendId() {
  return "Plain";
}

void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = backplane::IBackendInternal::GetApiVersion().major;
  *outMinor = backplane::IBackendInternal::GetApiVersion().minor;
}

void* BackendFactory() {
  return nullptr;
}
