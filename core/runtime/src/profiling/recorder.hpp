#pragma once

#include "profiling/backend_sink.hpp"
#include "profiling/network_recorder.hpp"

#include <backplane/runtime/profiling.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::profiling {

/// All that one runtime measures. There is none when profiling is off.
///
/// Threads: any.
class Recorder {
 public:
  explicit Recorder(std::size_t max_events);

  std::uint64_t GetBegin() const { return begin_ns_; }

  /// Adds an event that lasted on the calling thread and gets its lane: everything but runs.
  void Add(ProfileEvent event);
  void Add(Diagnostic diagnostic);

  std::shared_ptr<NetworkRecorder> AddNetwork(const std::string& name, NetworkId id,
                                              std::vector<StepName> steps);
  /// The network is unloaded. What it measured is kept until many others have come after it.
  void Retire(const std::shared_ptr<NetworkRecorder>& network);

  /// Null: never.
  std::shared_ptr<BackendSink> AddBackend(const std::string& backend_id);

  /// What was measured until now, in no order.
  Profile MakeProfile() const;

 private:
  void AddThreads(Profile& profile) const;
  void AddNetworks(Profile& profile) const;
  std::uint32_t FindThread();

  const std::uint64_t begin_ns_;
  const std::size_t max_events_;

  mutable std::mutex mutex_;   // guards what is below
  std::vector<long> threads_;  // as the system numbers them; the first lanes
  std::deque<ProfileEvent> events_;
  std::uint64_t num_lost_events_ = 0;
  std::uint64_t num_lost_networks_ = 0;
  std::vector<Diagnostic> diagnostics_;
  std::deque<std::shared_ptr<NetworkRecorder>> retired_;
  std::deque<std::shared_ptr<NetworkRecorder>> networks_;
  std::vector<std::shared_ptr<BackendSink>> backends_;
};

}  // namespace backplane::profiling
