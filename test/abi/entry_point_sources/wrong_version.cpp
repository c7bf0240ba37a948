#include <backplane/api/entry_points.hpp>

int GetVersion(std::uint32_t* outMajor, std::uint32_t* outMinor) {
  return static_cast<int>(*outMajor + *outMinor);
}
