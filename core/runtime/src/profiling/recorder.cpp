#include "profiling/recorder.hpp"

#include "profiling/clock.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

namespace backplane::profiling {

namespace {

constexpr std::size_t kMaxThreads = 64;
constexpr std::size_t kMaxRetired = 32;
constexpr std::size_t kMaxDiagnostics = 256;

}  // namespace

Recorder::Recorder(std::size_t max_events) : begin_ns_(Now()), max_events_(max_events) {}

void Recorder::Add(ProfileEvent event) {
  const std::lock_guard<std::mutex> lock(mutex_);
  event.lane = FindThread();
  events_.push_back(std::move(event));
  if (events_.size() <= max_events_) return;
  events_.pop_front();
  ++num_lost_events_;
}

void Recorder::Add(Diagnostic diagnostic) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (diagnostics_.size() < kMaxDiagnostics) diagnostics_.push_back(std::move(diagnostic));
}

std::shared_ptr<NetworkRecorder> Recorder::AddNetwork(const std::string& name, NetworkId id,
                                                      std::vector<StepName> steps) {
  auto network = std::make_shared<NetworkRecorder>(name, id, std::move(steps), max_events_);
  const std::lock_guard<std::mutex> lock(mutex_);
  networks_.push_back(network);
  return network;
}

void Recorder::Retire(const std::shared_ptr<NetworkRecorder>& network) {
  network->Shrink();
  const std::lock_guard<std::mutex> lock(mutex_);
  networks_.erase(std::remove(networks_.begin(), networks_.end(), network), networks_.end());
  retired_.push_back(network);
  if (retired_.size() <= kMaxRetired) return;
  const std::shared_ptr<NetworkRecorder> oldest = std::move(retired_.front());
  retired_.pop_front();
  num_lost_events_ += oldest->CountEvents();
  const auto other = std::find_if(networks_.begin(), networks_.end(), [&](const auto& loaded) {
    return loaded->GetId() == oldest->GetId();
  });
  if (other != networks_.end()) {
    (*other)->Absorb(*oldest);
  } else {
    ++num_lost_networks_;
  }
}

std::shared_ptr<BackendSink> Recorder::AddBackend(const std::string& backend_id) {
  auto sink = std::make_shared<BackendSink>(backend_id, begin_ns_, max_events_);
  const std::lock_guard<std::mutex> lock(mutex_);
  backends_.push_back(sink);
  return sink;
}

Profile Recorder::MakeProfile() const {
  Profile profile;
  const std::lock_guard<std::mutex> lock(mutex_);
  profile.begin_ns = begin_ns_;
  profile.diagnostics = diagnostics_;
  profile.num_lost_events = num_lost_events_;
  profile.num_lost_networks = num_lost_networks_;
  AddThreads(profile);
  AddNetworks(profile);
  for (const auto& backend : backends_) backend->AddTo(profile);
  profile.end_ns = Now();
  return profile;
}

void Recorder::AddThreads(Profile& profile) const {
  for (const long thread : threads_) {
    profile.lanes.push_back(
        {"", thread == 0 ? "other threads" : "thread " + std::to_string(thread)});
  }
  profile.events.insert(profile.events.end(), events_.begin(), events_.end());
}

// The plans of one network have one table.
void Recorder::AddNetworks(Profile& profile) const {
  std::map<NetworkId, std::vector<LayerProfile>> tables;
  for (const auto* const networks : {&retired_, &networks_}) {
    for (const auto& network : *networks) {
      network->AddEvents(profile);
      AddLayers(network->GetLayers(), tables[network->GetId()]);
    }
  }
  for (auto& [id, layers] : tables) {
    std::uint64_t sum_ns = 0;
    for (const LayerProfile& layer : layers) sum_ns += layer.total_ns;
    for (LayerProfile& layer : layers) {
      if (sum_ns != 0)
        layer.share = static_cast<double>(layer.total_ns) / static_cast<double>(sum_ns);
      profile.layers.push_back(std::move(layer));
    }
  }
}

// The last lane is for all threads for which there is none.
std::uint32_t Recorder::FindThread() {
  const long self = syscall(SYS_gettid);
  const long shown = threads_.size() < kMaxThreads - 1 ? self : 0;
  auto found = std::find(threads_.begin(), threads_.end(), self);
  if (found == threads_.end()) found = std::find(threads_.begin(), threads_.end(), shown);
  if (found == threads_.end()) found = threads_.insert(threads_.end(), shown);
  return static_cast<std::uint32_t>(found - threads_.begin());
}

}  // namespace backplane::profiling
