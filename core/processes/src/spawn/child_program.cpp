#include "spawn/child_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace backplane::spawn {
namespace {

using wire::FileDescriptor;

constexpr int kFirstFree = 16;  // behind all that a child gets

/// The attributes and file actions of posix_spawn, with their ends.
class SpawnSettings {
 public:
  explicit SpawnSettings(const std::vector<int>& descriptors) {
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_init(&actions_);
    sigset_t none;
    sigemptyset(&none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // The child says there what keeps it from starting.
    posix_spawn_file_actions_adddup2(&actions_, descriptors.front(), STDERR_FILENO);
    int next = kFirstChildDescriptor;
    for (const int descriptor : descriptors) {
      posix_spawn_file_actions_adddup2(&actions_, descriptor, next++);
    }
    posix_spawn_file_actions_addclosefrom_np(&actions_, next);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  const posix_spawnattr_t* GetAttributes() const { return &attributes_; }
  const posix_spawn_file_actions_t* GetActions() const { return &actions_; }

 private:
  posix_spawnattr_t attributes_{};
  posix_spawn_file_actions_t actions_{};
};

/// Strings as posix_spawn wants them.
std::vector<char*> MakePointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

FileDescriptor MoveUp(FileDescriptor descriptor) {
  if (descriptor.Get() >= kFirstFree) return descriptor;
  const int moved = fcntl(descriptor.Get(), F_DUPFD_CLOEXEC, kFirstFree);
  if (moved < 0 && errno == EINVAL) errno = EMFILE;  // the limit is below the first
  return FileDescriptor(moved);
}

std::optional<Pipe> MakePipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  pipe.read = MoveUp(std::move(pipe.read));
  pipe.write = MoveUp(std::move(pipe.write));
  if (!pipe.read.IsOpen() || !pipe.write.IsOpen()) return std::nullopt;
  return pipe;
}

int StartProgram(ChildProgram& child, pid_t& process) {
  child.arguments.insert(child.arguments.begin(), child.program);
  const SpawnSettings settings(child.descriptors);
  return posix_spawn(&process, child.program.c_str(), settings.GetActions(),
                     settings.GetAttributes(), MakePointers(child.arguments).data(),
                     MakePointers(child.environment).data());
}

StartedProcess::StartedProcess(pid_t process)
    : process_(process), descriptor_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))) {
  is_gone_ = !descriptor_.IsOpen() && errno == ESRCH;
}

void StartedProcess::SendSignal(int signal) const {
  if (descriptor_.IsOpen()) {
    syscall(SYS_pidfd_send_signal, descriptor_.Get(), signal, nullptr, 0);
  } else if (!HasEnded()) {
    kill(process_, signal);
  }
}

std::optional<int> StartedProcess::Reap() const {
  siginfo_t end{};
  if (is_gone_ || !Wait(WEXITED, end)) return std::nullopt;
  return end.si_code == CLD_EXITED ? W_EXITCODE(end.si_status, 0) : end.si_status;
}

bool StartedProcess::HasEnded() const {
  siginfo_t end{};
  return is_gone_ || !Wait(WEXITED | WNOHANG | WNOWAIT, end) || end.si_pid != 0;
}

bool StartedProcess::Wait(int options, siginfo_t& end) const {
  const bool has_descriptor = descriptor_.IsOpen();
  const idtype_t type = has_descriptor ? P_PIDFD : P_PID;
  const id_t id = static_cast<id_t>(has_descriptor ? descriptor_.Get() : process_);
  int result = -1;
  do {
    result = waitid(type, id, &end, options);
  } while (result != 0 && errno == EINTR);
  // Linux 5.3 has descriptors of processes and cannot wait for them.
  if (result != 0 && errno == EINVAL && has_descriptor) {
    result = waitid(P_PID, static_cast<id_t>(process_), &end, options);
  }
  return result == 0;
}

}  // namespace backplane::spawn
