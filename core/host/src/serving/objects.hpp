#pragma once

/// Objects of the backend, and the lanes that run them.

#include "serving/areas.hpp"
#include "serving/host_line.hpp"
#include "wire/lane.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace backplane::serving {

class Objects;

/// Everything that the thread of a lane looks up.
struct LaneSources {
  std::shared_ptr<std::byte> memory;  // in which the lane lies
  const Areas& areas;
  const Notices& notices;
  Objects& objects;  // its workloads and handles
};

/// Runs what the host submits for one working memory, in a thread of its own.
class LaneRunner {
 public:
  LaneRunner(wire::LaneHeader* lane, const std::vector<LaneWorkload>& workloads,
             std::unique_ptr<IExecutionState> state, LaneSources sources);
  /// Ends the thread, after the runs that were submitted.
  ~LaneRunner();

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
  /// Tells the exception that is being caught.
  void FailThrown(const wire::LaneEntry& entry, Status status);
  /// `thrown` is the text of DescribeThrown, or "" when nothing was thrown.
  void Fail(const wire::LaneEntry& entry, Status status, std::string_view thrown);

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

/// A tensor handle, with the descriptors that it was given.
///
/// Threads: one at a time.
struct ServedHandle {
  std::unique_ptr<ITensorHandle> handle;
  wire::FileDescriptor imported_file;
  MemoryView mapped;
  bool is_imported = false;
  std::uint64_t import_version = 0;  // the host's number for what it has imported, or has not

  Status Import(const MemoryView& view, std::uint64_t version) {
    const Status released = Unimport(version);
    if (released != Status::kSuccess) return released;
    const Status status = handle->Import(view);
    is_imported = status == Status::kSuccess;
    return status;
  }
  Status Unimport(std::uint64_t version) {
    import_version = version;
    return std::exchange(is_imported, false) ? handle->Unimport() : Status::kSuccess;
  }
};

/// A block of a memory manager of the backend.
struct ServedBlock {
  std::shared_ptr<IMemoryManager> manager;
  MemoryBlock block;
};

using ServedObject =
    std::variant<std::unique_ptr<IBackendContext>, std::shared_ptr<const IBackendModelContext>,
                 std::shared_ptr<IMemoryManager>, std::unique_ptr<IWorkloadFactory>,
                 std::unique_ptr<IBackendProfilingContext>, std::shared_ptr<const ILayerSupport>,
                 std::shared_ptr<const IPreCompiledObject>, std::unique_ptr<ITensorHandleFactory>,
                 ServedHandle, ServedBlock, std::shared_ptr<const IWorkload>,
                 std::unique_ptr<LaneRunner>>;

/// The objects that the backend made, by the numbers that the host gave them.
///
/// Threads: any; an object that Find gives stays until the host asks to destroy it.
class Objects {
 public:
  /// Errors: std::runtime_error when there is one of this number.
  void Keep(std::uint64_t id, ServedObject object) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    if (!objects_.try_emplace(id, std::move(object)).second) {
      throw std::runtime_error("the host gave a number twice: " + std::to_string(id));
    }
  }

  /// Null: 0, or an object of another type.
  template <typename Type>
  Type* Find(std::uint64_t id) {
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    const auto found = objects_.find(id);
    return found == objects_.end() ? nullptr : std::get_if<Type>(&found->second);
  }

  void Destroy(std::uint64_t id) {
    std::map<std::uint64_t, ServedObject>::node_type node;  // goes when others may ask again
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    node = objects_.extract(id);
  }

 private:
  std::shared_mutex mutex_;
  std::map<std::uint64_t, ServedObject> objects_;
};

}  // namespace backplane::serving
