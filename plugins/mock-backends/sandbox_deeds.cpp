#include "deeds.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

namespace backplane::mock::deeds {
namespace {

/// What is refused is told.
void RequireOf(const char* what, bool has_worked) {
  if (!has_worked) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

bool Closes(int descriptor) {
  if (descriptor < 0) return false;
  close(descriptor);
  return true;
}

bool Opens(const std::string& path, int flags) {
  return Closes(open(path.c_str(), flags, 0600));
}

void OpenAndClose(const char* path, int flags) {
  RequireOf(path, Opens(path, flags));
}

std::string GetOwnFile() {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(&GetOwnFile), &info) != 0 ? info.dli_fname : "";
}

std::string GetOwnFolder() {
  const std::string file = GetOwnFile();
  return file.substr(0, file.find_last_of('/') + 1);
}

/// Stays open.
int OpenOwnFile() {
  static const int file = open(GetOwnFile().c_str(), O_RDONLY | O_CLOEXEC);
  return file;
}

struct stat GetOwnStatus() {
  struct stat status {};
  RequireOf("fstat", fstat(OpenOwnFile(), &status) == 0);
  return status;
}

bool MakesFolder(const std::string& path) {
  return mkdir(path.c_str(), 0700) == 0 && rmdir(path.c_str()) == 0;
}

bool MakesDevice(const std::string& path) {
  constexpr dev_t kNull = 0x103;
  return mknod(path.c_str(), S_IFCHR | 0600, kNull) == 0 && unlink(path.c_str()) == 0;
}

constexpr timespec kLeaveTimes[] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};

bool AddsAttribute(int file) {
  return fsetxattr(file, "user.mock", "x", 1, 0) == 0 && fremovexattr(file, "user.mock") == 0;
}

bool ChangesFlags(int file) {
  int flags = 0;
  const bool are_known = ioctl(file, FS_IOC_GETFLAGS, &flags) == 0;
  int changed = flags ^ FS_NODUMP_FL;
  if (ioctl(file, FS_IOC_SETFLAGS, &changed) != 0) return false;
  return are_known && ioctl(file, FS_IOC_SETFLAGS, &flags) == 0;
}

/// Asks one end of a pair of sockets.
bool Controls(unsigned long request) {
  int ends[2] = {-1, -1};
  RequireOf("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  int argument = 0;
  const int result = ioctl(ends[0], request, &argument);
  const int error = errno;
  close(ends[0]);
  close(ends[1]);
  errno = error;
  return result == 0;
}

bool ChangesLoopback() {
  int ends[2] = {-1, -1};
  RequireOf("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  ifreq request{};
  std::strncpy(request.ifr_name, "lo", sizeof(request.ifr_name) - 1);
  request.ifr_mtu = 1400;
  const bool is_changed = ioctl(ends[0], SIOCSIFMTU, &request) == 0;
  const int error = errno;
  request.ifr_mtu = 65'536;
  if (is_changed) ioctl(ends[0], SIOCSIFMTU, &request);
  close(ends[0]);
  close(ends[1]);
  errno = error;
  return is_changed;
}

bool LimitsParent() {
  rlimit limit{};
  RequireOf("prlimit", prlimit(getppid(), RLIMIT_CORE, nullptr, &limit) == 0);
  return prlimit(getppid(), RLIMIT_CORE, &limit, nullptr) == 0;
}

/// To the processors that it has.
bool Binds(pid_t process) {
  cpu_set_t set;
  RequireOf("sched_getaffinity", sched_getaffinity(process, sizeof(set), &set) == 0);
  return sched_setaffinity(process, sizeof(set), &set) == 0;
}

constexpr sched_param kNoPriority{0};
constexpr sched_param kLeastPriority{1};

/// Only the superuser can empty the set that bounds the others.
bool HasNoCapabilities() {
  std::ifstream status("/proc/self/status");
  int num_sets = 0;
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, 3, "Cap") != 0) continue;
    ++num_sets;
    const bool is_bound = line.compare(0, 6, "CapBnd") == 0 && geteuid() != 0;
    if (!is_bound && line.find_first_not_of("\t0", line.find(':') + 1) != std::string::npos) {
      throw std::runtime_error("has " + line);
    }
  }
  return num_sets == 5;
}

/// As it is named.
bool NamesMachine() {
  utsname names{};
  RequireOf("uname", uname(&names) == 0);
  return sethostname(names.nodename, std::strlen(names.nodename)) == 0;
}

bool SharesMemory() {
  const int memory = shmget(IPC_PRIVATE, 4096, 0600);
  return memory >= 0 && shmctl(memory, IPC_RMID, nullptr) == 0;
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

/// The one that MOCK_DEVICE names.
void OpenDevice() {
  const char* const path = std::getenv("MOCK_DEVICE");
  RequireOf("open", path != nullptr && open(path, O_RDONLY) >= 0);
}

void TellVariables() {
  std::string names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    names += std::string(*variable).substr(0, std::strcspn(*variable, "=")) + ' ';
  }
  throw std::runtime_error("sees " + names);
}

#define BACKPLANE_SANDBOX_DEED(name, answer, ...) \
  void name() {                                   \
    errno = 0;                                    \
    RequireOf(#name, __VA_ARGS__);                \
  }
#include "sandbox_deeds.def"
#undef BACKPLANE_SANDBOX_DEED

void TellPrivileges() {
  throw std::runtime_error("no new privileges: " +
                           std::to_string(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)));
}

}  // namespace backplane::mock::deeds
