#include <backplane/host/backend_registry.hpp>

namespace backplane {

std::int64_t GetRank(const BackendCapabilities& capabilities) {
  for (const BackendOption& capability : capabilities) {
    if (capability.name == kCapabilityRank && capability.value.type == OptionType::kInt) {
      return capability.value.int_value;
    }
  }
  return 0;
}

}  // namespace backplane
