#pragma once

/// Times that the device measured, told in those of the steady clock.

#include "library/library.hpp"

#include <backplane/api/i_backend_profiling_context.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace backplane {
namespace opencl {

/// What ran in one queue, in a lane of the timeline.
///
/// Threads: any.
class DeviceLane {
 public:
  DeviceLane(const Library& library, std::string name)
      : library_(library), name_(std::move(name)) {}

  /// A command that was just enqueued, in a queue that measures.
  void Add(const std::string& command, Owned<cl_event> event);

  /// Reports those that have finished.
  /// Null: they are forgotten.
  void Report(IBackendProfiling* profiling);

 private:
  struct Command {
    std::string name;
    Owned<cl_event> event;
    std::uint64_t enqueued_ns = 0;  // by the steady clock
  };
  struct Times {
    cl_ulong queued = 0;
    cl_ulong begin = 0;
    cl_ulong end = 0;
  };

  bool HasFinished(const Command& command) const;
  bool ReadTimes(const Command& command, Times& times) const;
  void ReportCommands(const std::vector<Command>& commands, IBackendProfiling& profiling) const;

  const Library& library_;
  const std::string name_;
  std::mutex mutex_;
  std::vector<Command> commands_;  // as they were enqueued
};

}  // namespace opencl
}  // namespace backplane
