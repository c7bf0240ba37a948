#include <backplane/host/backend_registry.hpp>
#include <backplane/host/capabilities.hpp>

namespace backplane {

std::int64_t GetRank(const BackendCapabilities& capabilities) {
  const OptionValue* rank = FindCapability(capabilities, kCapabilityRank);
  return rank != nullptr && rank->type == OptionType::kInt ? rank->int_value : 0;
}

}  // namespace backplane
