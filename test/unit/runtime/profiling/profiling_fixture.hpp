#pragma once

#include "profiling/clock.hpp"
#include "profiling/profiling_backend.hpp"
#include "runtime/runtime_fixture.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace backplane {

/// A runtime with the backend P, which has a profiling side.
class ProfilingFixture : public testing::Test {
 protected:
  ProfilingFixture() { options_.state = ProfilingState::kOn; }

  void Start() {
    auto registry = std::make_shared<BackendRegistry>();
    registry->Register(MakeRegistration(backend_));
    CreationOptions options;
    options.profiling = options_;
    runtime_ = CreateRuntime({registry, {}, {}}, options);
  }

  NetworkId Load(const std::vector<std::string>& layers) const {
    return runtime_->LoadNetwork(Optimize(*MakeChain(layers), {"P"}, runtime_->GetDeviceSpec()));
  }

  Status Run(NetworkId network) const {
    std::vector<float> output(4);
    return runtime_->EnqueueWorkload(network, {MakeInput(0, {0, 1, 2, 3})},
                                     {MakeOutput(0, output)});
  }

  /// Reports an event that lasts from now for this time.
  Status Report(const std::string& name, const std::string& lane, std::uint64_t duration_ns) const {
    TimelineEvent event;
    event.name = name;
    event.lane = lane;
    event.begin_ns = profiling::Now();
    event.end_ns = event.begin_ns + duration_ns;
    return backend_->sink->ReportTimelineEvent(event);
  }

  Status Report(std::uint32_t counter, double value) const {
    CounterSample sample;
    sample.id = counter;
    sample.time_ns = profiling::Now();
    sample.value = value;
    return backend_->sink->ReportCounterSamples(&sample, 1);
  }

  Profile GetProfile() const { return runtime_->GetProfile(); }

  static std::vector<std::string> GetNames(const Profile& profile, ProfileEventKind kind) {
    std::vector<std::string> names;
    for (const ProfileEvent& event : profile.events) {
      if (event.kind == kind) names.push_back(event.name);
    }
    return names;
  }

  static const ProfileEvent& Find(const Profile& profile, const std::string& name) {
    const auto found = std::find_if(profile.events.begin(), profile.events.end(),
                                    [&](const ProfileEvent& event) { return event.name == name; });
    if (found == profile.events.end()) throw std::runtime_error("no event " + name);
    return *found;
  }

  const std::shared_ptr<ProfilingBackend> backend_ = std::make_shared<ProfilingBackend>("P");
  ProfilingOptions options_;
  std::unique_ptr<IRuntime> runtime_;
};

using Names = std::vector<std::string>;

}  // namespace backplane
