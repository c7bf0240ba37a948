#include <backplane/host/capabilities.hpp>

#include <algorithm>
#include <utility>

namespace backplane {

const char* GetCapabilityMatchName(CapabilityMatch match) {
  switch (match) {
    case CapabilityMatch::kAbsent:
      return "absent";
    case CapabilityMatch::kWrongType:
      return "wrong type";
    case CapabilityMatch::kDifferent:
      return "different";
    case CapabilityMatch::kSame:
      return "same";
  }
  return "unknown";
}

const OptionValue* FindCapability(const BackendCapabilities& capabilities,
                                  const std::string& name) {
  const auto found =
      std::find_if(capabilities.begin(), capabilities.end(),
                   [&](const BackendOption& capability) { return capability.name == name; });
  return found != capabilities.end() ? &found->value : nullptr;
}

CapabilityMatch MatchCapability(const BackendCapabilities& capabilities,
                                const BackendOption& wanted) {
  const OptionValue* value = FindCapability(capabilities, wanted.name);
  if (value == nullptr) return CapabilityMatch::kAbsent;
  if (value->type != wanted.value.type) return CapabilityMatch::kWrongType;
  return *value == wanted.value ? CapabilityMatch::kSame : CapabilityMatch::kDifferent;
}

bool HasCapability(const BackendCapabilities& capabilities, const std::string& name) {
  return MatchCapability(capabilities, {name, true}) == CapabilityMatch::kSame;
}

BackendCapabilities GetCapabilities(const BackendRegistry& registry, const std::string& id) {
  const PluginObject<IBackendInternal> backend = registry.CreateBackend(id);
  auto capabilities = backend.Call<&IBackendInternal::GetCapabilities>();
  return std::move(capabilities.GetOrThrow());
}

}  // namespace backplane
