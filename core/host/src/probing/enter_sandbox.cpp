#include "diagnostics/file_words.hpp"
#include "libraries/dependency_inspector.hpp"
#include "probing/plugin_process.hpp"
#include "sandbox/call_filter.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/permissions.hpp"
#include "spawn/ends.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace backplane::probing {
namespace {

using sandbox::Has;
using sandbox::Permission;
using sandbox::PermissionKind;

Diagnostic DescribeNoSandbox(const std::string& path, std::string why) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kSandboxUnavailable, path,
      "was not opened, for lack of the sandbox in which it is to run", std::move(why),
      "use a kernel that has it, or allow less (Sandbox::kWhereSupported, or no sandbox) when "
      "the backend is trusted");
}

/// Rules are for the folder as it is now; the kernel forgets one of a process that nobody uses.
void HoldOwnFolder() {
  constexpr int kHighDescriptor = 320;  // above what is likely to be closed
  const int folder = ::open("/proc/self", O_PATH | O_CLOEXEC);
  if (folder < 0) return;
  if (fcntl(folder, F_DUPFD_CLOEXEC, kHighDescriptor) >= 0) close(folder);
}

std::string CloseTheFiles(const SandboxPlan& plan, const files::CandidateFile& file,
                          const std::vector<Permission>& permissions) {
  const int version = sandbox::GetLandlockVersion();
  if (version < sandbox::kLeastLandlockVersion && plan.sandbox == Sandbox::kRequired) {
    return "this kernel lacks " + sandbox::FindLackOfKernel();
  }
  if (version == 0) return "";
  HoldOwnFolder();
  const auto libraries = libraries::FindLibraryPaths(file.descriptor.Get(), file.canonical_path);
  return sandbox::RestrictPaths(sandbox::MakePathRules(file.canonical_path, libraries, permissions),
                                Has(permissions, PermissionKind::k_network)
                                    ? sandbox::Outside::kReachable
                                    : sandbox::Outside::kCutOff);
}

std::string TakeRights(const SandboxPlan& plan, const std::vector<Permission>& permissions) {
  sandbox::CallSettings settings;
  settings.process = getpid();
  settings.may_use_network = Has(permissions, PermissionKind::k_network);
  settings.may_start_processes = Has(permissions, PermissionKind::k_processes);
  settings.may_choose_processors = plan.processors.empty();
  settings.may_control_devices = Has(permissions, PermissionKind::k_devices);
  const int held = sandbox::GiveUpCapabilities();  // the filter lets none be changed
  if (held != 0) return std::string("capabilities cannot be given up: ") + std::strerror(held);
  const auto filter = sandbox::MakeCallFilter(settings);
  if (filter.empty()) return "there is no filter of system calls for this machine";
  const int error = sandbox::InstallCallFilter(filter);
  if (error == 0) return "";
  return std::string("the filter of system calls (seccomp) is not taken: ") + std::strerror(error);
}

constexpr std::uint32_t kMostProcessors = 65'536;

Diagnostic DescribeNoLimit(const std::string& path, std::string why, std::string fix) {
  return diagnostics::DescribeFile(DiagnosticCode::kLimitUnavailable, path,
                                   "was not opened, as a limit for its process cannot be set",
                                   std::move(why), std::move(fix));
}

std::string JoinNumbers(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(number);
  }
  return text;
}

int BindTo(const std::vector<std::uint32_t>& processors) {
  constexpr std::size_t kWordBits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> words(kMostProcessors / kWordBits);
  for (const std::uint32_t processor : processors) {
    if (processor >= kMostProcessors) return EINVAL;
    words[processor / kWordBits] |= 1UL << processor % kWordBits;
  }
  const auto* const set = reinterpret_cast<const cpu_set_t*>(words.data());
  return sched_setaffinity(0, words.size() * sizeof(unsigned long), set) == 0 ? 0 : errno;
}

/// Bounds the processors and the open files. Something: one that cannot be had.
std::optional<Diagnostic> SetProcessLimits(const SandboxPlan& plan, const std::string& path) {
  if (!plan.processors.empty()) {
    const int error = BindTo(plan.processors);
    if (error != 0) {
      return DescribeNoLimit(path,
                             "found IsolationSettings::processors = {" +
                                 JoinNumbers(plan.processors) + "}: " + std::strerror(error) +
                                 "; expected at least one processor that this machine has",
                             "name processors as in /proc/cpuinfo");
    }
  }
  if (plan.max_open_files == 0) return std::nullopt;
  const int error = spawn::BoundResource(RLIMIT_NOFILE, plan.max_open_files);
  if (error == 0) return std::nullopt;
  return DescribeNoLimit(path,
                         "found IsolationSettings::max_open_files = " +
                             std::to_string(plan.max_open_files) + ": " + std::strerror(error),
                         "correct the number");
}

}  // namespace

void EnterSandbox(const SandboxPlan& plan, PluginRun& run) {
  const std::string& path = run.candidate.path;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return run.ladder.Report(DescribeNoSandbox(
        path, std::string("new privileges cannot be given up: ") + std::strerror(errno)));
  }
  const auto permissions = sandbox::ReadPermissions(plan.permissions);
  const bool is_bare = plan.sandbox == Sandbox::kNone;
  std::string why = is_bare ? "" : CloseTheFiles(plan, *run.file, permissions);
  // Rules take open files to be made, and the filter lets no limit be set.
  if (auto failure = SetProcessLimits(plan, path)) return run.ladder.Report(std::move(*failure));
  if (why.empty() && !is_bare) why = TakeRights(plan, permissions);
  if (!why.empty()) run.ladder.Report(DescribeNoSandbox(path, std::move(why)));
}

}  // namespace backplane::probing
