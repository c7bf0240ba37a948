#include <backplane/api/backend_options.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace backplane {

DeviceSpec::DeviceSpec(std::shared_ptr<const BackendRegistry> registry,
                       std::shared_ptr<RuntimeContexts> contexts,
                       std::shared_ptr<profiling::Recorder> recorder,
                       std::vector<Setting> preferred)
    : registry_(registry ? std::move(registry) : std::make_shared<BackendRegistry>()),
      contexts_(std::move(contexts)),
      recorder_(std::move(recorder)),
      preferred_(std::move(preferred)) {}

std::vector<Setting> DeviceSpec::GetPreferredBackends() const {
  std::vector<Setting> available;
  std::copy_if(
      preferred_.begin(), preferred_.end(), std::back_inserter(available),
      [this](const Setting& setting) { return registry_->IsBackendRegistered(setting.value); });
  return available;
}

std::vector<std::string> DeviceSpec::GetBackendIdsByRank() const {
  struct Ranked {
    std::int64_t rank;
    std::string id;
  };
  std::vector<Ranked> ranked;
  for (std::string& id : registry_->GetBackendIds()) {
    const std::int64_t rank = GetRank(registry_->GetRegistration(id).capabilities);
    ranked.push_back({rank, std::move(id)});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank > b.rank; });
  std::vector<std::string> ids;
  for (Ranked& entry : ranked) ids.push_back(std::move(entry.id));
  return ids;
}

}  // namespace backplane
