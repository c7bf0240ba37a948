#include "probing/explain_account.hpp"

#include <backplane/host/system_refusal.hpp>

#include <sys/stat.h>

#include <cerrno>

namespace backplane::probing {
namespace {

struct Cure {
  int error;
  const char* text;  // "{program}" stands for the program
};

constexpr Cure kInstall = {ENOENT, "install backplane-probe " BACKPLANE_VERSION
                                   " beside libbackplane-host.so, and see that it can be executed"};

constexpr Cure kCures[] = {
    kInstall,
    {ENOTDIR, kInstall.text},
    {EACCES,
     "this user may not execute {program}: give the right with chmod a+rx, also for the "
     "directories above it, and see that it is backplane-probe, that its file system is not "
     "mounted noexec and that no security module (dmesg) forbids it"},
    {EPERM,
     "the system forbids this process to start another: look for a filter of system calls "
     "(seccomp: SystemCallFilter= of a service, the profile of a container) or a security "
     "module, and allow clone and execve, or scan with --probe in-process"},
    {ENOSYS,
     "the system forbids this process to start another: look for a filter of system calls "
     "(seccomp: SystemCallFilter= of a service, the profile of a container), and allow "
     "clone and execve, or scan with --probe in-process"},
    {ENOEXEC,
     "{program} is not a program for this machine: install backplane-probe " BACKPLANE_VERSION
     " of this system"},
    {ETXTBSY, "{program} is being written: scan again when it is whole"},
};

constexpr char kNameTheProgram[] =
    "{program} is a directory: give the path of the program, which is called backplane-probe";

bool IsDirectory(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

std::string AdviseOnStart(int error, const std::string& program) {
  if (const auto refusal = ExplainRefusal(error)) {
    return refusal->found + ": " + refusal->cure + ", then scan again";
  }
  std::string advice = kInstall.text;
  if (program.empty()) advice = "check the limits of processes and memory (ulimit -u, ulimit -v)";
  for (const Cure& cure : kCures) {
    if (cure.error == error) advice = cure.text;
  }
  if (error == EACCES && IsDirectory(program)) advice = kNameTheProgram;
  constexpr char kPlaceholder[] = "{program}";
  const std::size_t at = advice.find(kPlaceholder);
  if (at != std::string::npos) {
    advice.replace(at, sizeof(kPlaceholder) - 1, program.empty() ? "the program" : program);
  }
  return advice;
}

}  // namespace backplane::probing
