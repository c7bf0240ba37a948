/// A backend of another host that uses the same entry points and the same version, such as Arm NN:
/// it includes none of our headers, so its object would be called through the wrong functions.

#include <cstdint>

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

struct ForeignBackend {
  virtual ~ForeignBackend() = default;
  virtual const char* GetName() const { return BACKPLANE_MOCK_NAME; }
};

}  // namespace

EXPORTED const char* GetBackendId() {
#ifdef BACKPLANE_MOCK_CRASHES_WHEN_ASKED
  __builtin_trap();
#endif
  return BACKPLANE_MOCK_NAME;
}

EXPORTED void GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  *outMajor = 1;
  *outMinor = 0;
}

EXPORTED void* BackendFactory() {
  return new ForeignBackend();
}
