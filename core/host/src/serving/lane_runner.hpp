#pragma once

#include "serving/areas.hpp"
#include "serving/host_line.hpp"
#include "wire/lane.hpp"

#include <backplane/api/i_workload_factory.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace backplane::serving {

class Objects;

/// What the thread of a lane looks up.
struct LaneSources {
  std::shared_ptr<std::byte> memory;  // in which the lane lies
  const Areas& areas;
  const Notices& notices;
  Objects& objects;  // its workloads and handles
};

/// Runs what the host submits for one working memory, in a thread of its own.
class LaneRunner {
 public:
  LaneRunner(wire::LaneHeader* lane, const std::vector<messages::LaneWorkload>& workloads,
             std::unique_ptr<IExecutionState> state, LaneSources sources);
  /// Ends the thread, behind what was submitted.
  ~LaneRunner();
  LaneRunner(const LaneRunner&) = delete;
  LaneRunner& operator=(const LaneRunner&) = delete;

 private:
  struct Operand;
  struct Call;

  void Run();
  void GiveUp(std::uint32_t done);
  void WaitForWork(std::uint32_t done);
  void Execute(const wire::LaneEntry& entry);
  Status Prepare(Call& call);
  void* FindMemory(std::uint64_t area, const wire::LaneOperand& source) const;
  Status PrepareHandle(const wire::LaneOperand& source, Operand& operand) const;
  Status PrepareShared(const wire::LaneOperand& source, Operand& operand) const;
  Status FailBroken() const {
    lane_->is_broken.store(1);
    return Status::kNotFound;
  }
  /// With what is being caught.
  void FailThrown(const wire::LaneEntry& entry, Status status);
  void Fail(const wire::LaneEntry& entry, Status status, const std::string* thrown);

  const pid_t process_ = getpid();
  wire::LaneHeader* lane_;
  std::vector<Call> calls_;
  std::unique_ptr<IExecutionState> state_;
  LaneSources sources_;
  bp_run_info run_;
  wire::SpinLimit spin_;
  std::atomic<bool> is_ending_{false};  // what the host could take back in the lane
  std::thread thread_;
};

}  // namespace backplane::serving
