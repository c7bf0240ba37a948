#include "isolation/object_directory.hpp"

#include "isolation/isolated_state.hpp"
#include "messages/api_values.hpp"

#include <cstring>

namespace backplane::isolation {
namespace {

void ReportSamples(IBackendProfiling& profiling, std::string_view bytes) {
  std::vector<CounterSample> samples(bytes.size() / sizeof(CounterSample));
  if (samples.empty()) return;
  std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(CounterSample));
  static_cast<void>(
      profiling.ReportCounterSamples(samples.data(), static_cast<std::uint32_t>(samples.size())));
}

}  // namespace

std::string ObjectDirectory::NameRunning() const {
  std::string names;
  states.ForEach([&](const IsolatedState* state) {
    const std::string name = state->NameRunning();
    if (!name.empty()) names += (names.empty() ? "" : " and ") + name;
  });
  return names;
}

void ObjectDirectory::WakeWaiting() const {
  states.ForEach([](IsolatedState* state) { state->Wake(); });
}

void ObjectDirectory::Report(const wire::Message& notice) const {
  wire::Reader reader(notice.body);
  const auto id = reader.Take<std::uint64_t>();
  profilings.ForEach([&](const auto& profiling) {
    if (profiling.first != id) return;
    if (notice.function == wire::Function::kTimelineEvent) {
      static_cast<void>(profiling.second->ReportTimelineEvent(reader.Take<TimelineEvent>()));
    } else if (notice.function == wire::Function::kCounterSamples) {
      ReportSamples(*profiling.second, reader.TakeText());
    }
  });
}

void ObjectDirectory::AddGone(std::uint64_t id) {
  const std::lock_guard<std::mutex> lock(gone_mutex_);
  gone_.push_back(id);
}

std::vector<std::uint64_t> ObjectDirectory::TakeGone() {
  const std::lock_guard<std::mutex> lock(gone_mutex_);
  return std::exchange(gone_, {});
}

}  // namespace backplane::isolation
