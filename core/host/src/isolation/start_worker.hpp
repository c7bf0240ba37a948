// How the process of a backend comes to be, and is ended.
#pragma once

#include "spawn/child_program.hpp"

#include <functional>
#include <memory>
#include <string>

namespace backplane::isolation {

/// What was started.
class StartedWorker {
 public:
  virtual ~StartedWorker() = default;
  /// Asks it to end what it watches, and itself.
  virtual void Terminate() = 0;
  virtual void Kill() = 0;
  /// Waits for its end; says how it ended, "ended with exit code 1", or "".
  virtual std::string Reap() = 0;
};

/// Starts a program with its descriptors, which are lent. Null: `error` is the errno.
using WorkerStarter =
    std::function<std::unique_ptr<StartedWorker>(spawn::ChildProgram& program, int& error)>;

/// As a process.
std::unique_ptr<StartedWorker> StartWorkerProcess(spawn::ChildProgram& program, int& error);

}  // namespace backplane::isolation
