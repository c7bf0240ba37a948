#pragma once

#include "profiling/run_buffer.hpp"

#include <backplane/api/i_backend_context.hpp>
#include <backplane/runtime/profiling.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane::profiling {

/// What a step of a network is.
struct StepName {
  LayerId layer = 0;
  std::string name;
  LayerType type = LayerType::kUndefined;
  std::string backend_id;
};

/// What the runs of one loaded network measure.
///
/// Threads: any.
class NetworkRecorder {
 public:
  /// `max_events` for each run that goes on at the same time.
  NetworkRecorder(std::string network, NetworkId id, std::vector<StepName> steps,
                  std::size_t max_events);

  /// Takes a buffer for one run, or makes one when all are taken.
  /// Errors: std::bad_alloc.
  RunBuffer& Take();
  void GiveBack(RunBuffer& buffer) noexcept;

  std::size_t GetNumSteps() const { return steps_.size(); }

  NetworkId GetId() const { return id_; }

  /// Adds lanes and events.
  void AddEvents(Profile& profile) const;
  /// What its layers took, without shares.
  std::vector<LayerProfile> GetLayers() const;
  /// Takes over what the layers of another plan of the same network took.
  void Absorb(const NetworkRecorder& gone);

  std::uint64_t CountEvents() const;
  /// There are no more runs.
  void Shrink();

 private:
  void AddLane(const RunBuffer& buffer, std::size_t number, Profile& profile) const;
  ProfileEvent MakeEvent(const RunBuffer::Record& record, std::uint32_t lane) const;

  const std::string network_;
  const NetworkId id_;
  const std::vector<StepName> steps_;
  const std::size_t max_events_;

  mutable std::mutex mutex_;  // guards the lists
  std::vector<std::unique_ptr<RunBuffer>> buffers_;
  std::vector<RunBuffer*> idle_;  // has room for all
  std::vector<LayerProfile> absorbed_;
};

/// Adds what layers took to what those of the same name, type and backend took.
void AddLayers(const std::vector<LayerProfile>& from, std::vector<LayerProfile>& to);

/// Measures one run, from its making to its end.
class RunTimer {
 public:
  /// Errors: std::bad_alloc, when a buffer is made.
  explicit RunTimer(NetworkRecorder& recorder);
  ~RunTimer();
  RunTimer(const RunTimer&) = delete;
  RunTimer& operator=(const RunTimer&) = delete;

  /// To be filled by the run.
  RunTimes& GetTimes() { return buffer_.GetTimes(); }

  /// The step failed, and those behind it were not run.
  void SetFailed(std::size_t step);

 private:
  NetworkRecorder& recorder_;
  RunBuffer& buffer_;
  std::size_t num_done_;
  bool has_failed_ = false;
  std::uint64_t begin_ns_;
};

}  // namespace backplane::profiling
