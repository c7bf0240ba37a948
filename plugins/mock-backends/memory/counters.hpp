#pragma once

/// What tests see of the backend: how often things have happened and what is alive, for the life of
/// the library. Told as capabilities.

#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_tensor_handle.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <set>

namespace memory_mock {

struct Counters {
  std::atomic<std::int64_t> imports{0};
  std::atomic<std::int64_t> unimports{0};
  std::atomic<std::int64_t> exports{0};
  std::atomic<std::int64_t> maps{0};
  std::atomic<std::int64_t> binds{0};
  std::atomic<std::int64_t> device_copies{0};
  std::atomic<std::int64_t> workloads_run{0};
};

inline Counters& GetCounters() {
  static Counters counters;
  return counters;
}

/// The handles that this library has made and that are alive: what is not among them is somebody
/// else's, whatever its factory id says.
class LiveHandles {
 public:
  void Add(const backplane::ITensorHandle* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    handles_.insert(handle);
  }
  void Remove(const backplane::ITensorHandle* handle) {
    const std::lock_guard<std::mutex> lock(mutex_);
    handles_.erase(handle);
  }
  bool Contains(const backplane::ITensorHandle* handle) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return handles_.count(handle) != 0;
  }
  std::int64_t Count() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return static_cast<std::int64_t>(handles_.size());
  }

 private:
  mutable std::mutex mutex_;
  std::set<const backplane::ITensorHandle*> handles_;
};

inline LiveHandles& GetLiveHandles() {
  static LiveHandles handles;
  return handles;
}

inline backplane::BackendCapabilities TellCounters(std::int64_t live_blocks) {
  const Counters& counters = GetCounters();
  return {{"Imports", counters.imports.load()},
          {"Unimports", counters.unimports.load()},
          {"Exports", counters.exports.load()},
          {"Maps", counters.maps.load()},
          {"Binds", counters.binds.load()},
          {"DeviceCopies", counters.device_copies.load()},
          {"WorkloadsRun", counters.workloads_run.load()},
          {"LiveHandles", GetLiveHandles().Count()},
          {"LiveBlocks", live_blocks}};
}

}  // namespace memory_mock
