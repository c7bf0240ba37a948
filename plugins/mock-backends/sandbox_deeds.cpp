#include "deeds.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

namespace backplane::mock::deeds {
namespace {

/// What is refused is told.
void RequireOf(const char* what, bool has_worked) {
  if (!has_worked) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

void OpenAndClose(const char* path, int flags) {
  const int file = open(path, flags, 0600);
  RequireOf(path, file >= 0);
  close(file);
}

}  // namespace

void WriteFile() {
  const std::string path = "/tmp/backplane-mock-" + std::to_string(getpid());
  OpenAndClose(path.c_str(), O_CREAT | O_WRONLY);
  unlink(path.c_str());
}

void ReadForeignFile() {
  OpenAndClose("/etc/passwd", O_RDONLY);
}

void Connect() {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  RequireOf("socket", connection >= 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int result = connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  close(connection);
  if (result != 0 && errno != ECONNREFUSED) RequireOf("connect", false);
}

/// To a socket of the machine that has a name, from one of a pair.
void SendToAddress() {
  int ends[2] = {-1, -1};
  RequireOf("socketpair", socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, "/dev/log", sizeof(address.sun_path) - 1);
  const auto sent =
      sendto(ends[0], "x", 1, 0, reinterpret_cast<sockaddr*>(&address), sizeof(address));
  close(ends[0]);
  close(ends[1]);
  if (sent < 0 && errno != ENOENT && errno != ECONNREFUSED) RequireOf("sendto", false);
}

void StartProgram() {
  char path[] = "/bin/true";
  char* arguments[] = {path, nullptr};
  char* environment[] = {nullptr};
  execve(path, arguments, environment);
  RequireOf("execve", false);
}

void RunShell() {
  char path[] = "/bin/true";
  char* arguments[] = {path, nullptr};
  pid_t child = -1;
  errno = posix_spawn(&child, path, nullptr, nullptr, arguments, environ);
  RequireOf("posix_spawn", errno == 0);
  int status = 0;
  RequireOf("waitpid", waitpid(child, &status, 0) == child);
  if (status != 0) throw std::runtime_error("the program ended with " + std::to_string(status));
}

void RaiseLimits() {
  rlimit limit{};
  RequireOf("getrlimit", getrlimit(RLIMIT_NOFILE, &limit) == 0);
  ++limit.rlim_max;
  RequireOf("setrlimit", setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

void FreeProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) CPU_SET(processor, &set);
  RequireOf("sched_setaffinity", sched_setaffinity(0, sizeof(set), &set) == 0);
}

void TraceParent() {
  RequireOf("ptrace", ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr) == 0);
}

void OpenMemoryOfParent() {
  const std::string path = "/proc/" + std::to_string(getppid()) + "/mem";
  OpenAndClose(path.c_str(), O_RDWR);
}

void SignalByDescriptor() {
  const auto process = static_cast<int>(syscall(SYS_pidfd_open, getppid(), 0));
  RequireOf("pidfd_open", process >= 0);
  syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
}

/// By the way of 32-bit programs, whose numbers mean other calls.
void CallOtherMachine() {
#if defined(__x86_64__)
  long result = 0;
  constexpr long kGetPid = 20;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(kGetPid) : "memory");
  if (result != getpid()) throw std::runtime_error("int 0x80 gave " + std::to_string(result));
#endif
}

/// By the numbers of programs with short addresses.
void CallOtherAbi() {
#if defined(__x86_64__)
  constexpr long kOtherAbi = 0x40000000;
  RequireOf("getpid", syscall(kOtherAbi + SYS_getpid) == getpid());
#endif
}

/// By which files and sockets are opened without further calls.
void SetUpRing() {
  std::uint64_t parameters[32] = {};
  const long ring = syscall(SYS_io_uring_setup, 1, parameters);
  RequireOf("io_uring_setup", ring >= 0);
  close(static_cast<int>(ring));
}

void MakeNamespace() {
  const long child =
      syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) _exit(0);
  RequireOf("clone", child > 0);
}

/// The same by a call whose flags no filter can see.
void MakeNamespaceByStruct() {
  constexpr long kClone3 = 435;
  std::uint64_t arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
  const long child = syscall(kClone3, arguments, sizeof(arguments));
  if (child == 0) _exit(0);
  RequireOf("clone3", child > 0);
}

void OpenManyFiles() {
  constexpr int kMany = 100'000;
  for (int i = 0; i < kMany; ++i) RequireOf("open", open("/dev/null", O_RDONLY) >= 0);
}

void TellProcessors() {
  cpu_set_t set;
  RequireOf("sched_getaffinity", sched_getaffinity(0, sizeof(set), &set) == 0);
  throw std::runtime_error("found " + std::to_string(CPU_COUNT(&set)) + " processors");
}

void TellVariables() {
  std::string names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    names += std::string(*variable).substr(0, std::strcspn(*variable, "=")) + ' ';
  }
  throw std::runtime_error("sees " + names);
}

void TellPrivileges() {
  throw std::runtime_error("no new privileges: " +
                           std::to_string(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)));
}

}  // namespace backplane::mock::deeds
