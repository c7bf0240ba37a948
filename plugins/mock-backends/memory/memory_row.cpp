/// The little in which the backends of scenarios.def differ; the rest is compiled once for all.

#include "deeds.hpp"
#include "memory_backend.hpp"
#include "scenario.hpp"

namespace memory_mock {

const Scenario kScenario = Scenario::BACKPLANE_MOCK_SCENARIO;
const char* const kBackendId = BACKPLANE_MOCK_NAME;

#ifdef BACKPLANE_MOCK_DEED
void (*const kWhenCopyingOut)() = [] {
  backplane::mock::Do(backplane::mock::Deed::BACKPLANE_MOCK_DEED);
};
#else
void (*const kWhenCopyingOut)() = nullptr;
#endif

}  // namespace memory_mock

BACKPLANE_BACKEND(memory_mock::MemoryBackend, BACKPLANE_MOCK_NAME);
