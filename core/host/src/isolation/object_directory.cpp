#include "isolation/object_directory.hpp"

#include "isolation/isolated_state.hpp"
#include "messages/api_values.hpp"

#include <cstring>
#include <utility>

namespace backplane::isolation {

using wire::Function;

void ObjectDirectory::AddState(IsolatedState* state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_.insert(state);
}

void ObjectDirectory::RemoveState(IsolatedState* state) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_.erase(state);
}

std::vector<std::string> ObjectDirectory::NameRunning() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (const IsolatedState* const state : states_) {
    std::string name = state->NameRunning();
    if (!name.empty()) names.push_back(std::move(name));
  }
  return names;
}

void ObjectDirectory::WakeWaiting() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (IsolatedState* const state : states_) state->Wake();
}

void ObjectDirectory::AddProfiling(std::uint64_t id, IBackendProfiling* profiling) {
  const std::lock_guard<std::mutex> lock(mutex_);
  profilings_[id] = profiling;
}

void ObjectDirectory::RemoveProfiling(std::uint64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  profilings_.erase(id);
}

void ObjectDirectory::Report(const wire::Message& notice) const {
  wire::Reader reader(notice.body);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = profilings_.find(reader.Take<std::uint64_t>());
  if (found == profilings_.end()) return;
  if (notice.function == Function::kTimelineEvent) {
    static_cast<void>(found->second->ReportTimelineEvent(reader.Take<TimelineEvent>()));
  } else if (notice.function == Function::kCounterSamples) {
    const std::string_view bytes = reader.TakeText();
    std::vector<CounterSample> samples(bytes.size() / sizeof(CounterSample));
    if (samples.empty()) return;
    std::memcpy(samples.data(), bytes.data(), samples.size() * sizeof(CounterSample));
    static_cast<void>(found->second->ReportCounterSamples(
        samples.data(), static_cast<std::uint32_t>(samples.size())));
  }
}

void ObjectDirectory::AddHandle(const ITensorHandle* handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  handles_.insert(handle);
}

void ObjectDirectory::RemoveHandle(const ITensorHandle* handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  handles_.erase(handle);
  handle_epoch_.fetch_add(1, std::memory_order_release);
}

bool ObjectDirectory::IsOwnHandle(const ITensorHandle* handle) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return handles_.count(handle) != 0;
}

void ObjectDirectory::AddFactoryId(const std::string& id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  factory_ids_.insert(id);
}

bool ObjectDirectory::IsOwnFactory(const std::string& id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return factory_ids_.count(id) != 0;
}

void ObjectDirectory::AddGone(std::uint64_t id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  gone_.push_back(id);
}

std::vector<std::uint64_t> ObjectDirectory::TakeGone() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(gone_, {});
}

}  // namespace backplane::isolation
