#pragma once

#include "wire/file_descriptor.hpp"

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace backplane::spawn {

/// The first of the descriptors that a child gets besides the standard ones.
constexpr int kFirstChildDescriptor = 3;

/// The same file under a number that has no meaning in a child, whatever this process has closed.
wire::FileDescriptor MoveUp(wire::FileDescriptor descriptor);

struct Pipe {
  wire::FileDescriptor read;
  wire::FileDescriptor write;
};
/// Nothing: errno says why.
std::optional<Pipe> MakePipe();

/// A program to start, and what it is given.
struct ChildProgram {
  std::string program;
  std::vector<std::string> arguments;    // without the program
  std::vector<std::string> environment;  // NAME=value
  // Descriptors of this process, made by MoveUp; the child has them from kFirstChildDescriptor on.
  // The first is its standard error too. All others are closed there.
  std::vector<int> descriptors;
};

/// Starts it with the signals of a new session. Returns errno, or 0.
int StartProgram(ChildProgram& child, pid_t& process);

/// The process that was started. Where the system reaps children, because the host ignores SIGCHLD,
/// or another thread does, its number may be another process's by the time it is used; a descriptor
/// of it, which Linux has since 5.3, is of no other.
class StartedProcess {
 public:
  explicit StartedProcess(pid_t process);
  pid_t GetNumber() const { return process_; }
  /// Becomes readable when it ends; -1 before Linux 5.3.
  int GetDescriptor() const { return descriptor_.Get(); }
  void Kill() const { SendSignal(SIGKILL); }
  /// Asks it to end what it watches, and itself.
  void Terminate() const { SendSignal(SIGTERM); }
  /// If not, its number is its own.
  bool HasEnded() const;
  /// Waits for its end. Gives what waitpid gives, or nothing when the host has its own way with
  /// children.
  std::optional<int> Reap() const;

 private:
  void SendSignal(int signal) const;
  bool Wait(int options, siginfo_t& end) const;

  pid_t process_;
  wire::FileDescriptor descriptor_;
  bool is_gone_ = false;
};

}  // namespace backplane::spawn
