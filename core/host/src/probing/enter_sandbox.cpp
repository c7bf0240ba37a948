#include "probing/enter_sandbox.hpp"

#include "inspection/file_words.hpp"
#include "inspection/library_paths.hpp"
#include "probing/process_limits.hpp"
#include "sandbox/call_filter.hpp"
#include "sandbox/capabilities.hpp"
#include "sandbox/landlock.hpp"
#include "sandbox/path_rules.hpp"
#include "sandbox/permissions.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace backplane::probing {
namespace {

using sandbox::Has;
using sandbox::Permission;
using sandbox::PermissionKind;

Diagnostic DescribeFailure(const std::string& path, std::string why) {
  return inspection::DescribeFile(
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

std::string CloseTheFiles(const SandboxPlan& plan, const discovery::CandidateFile& file,
                          const std::vector<Permission>& permissions) {
  const int version = sandbox::GetLandlockVersion();
  if (version < sandbox::kLeastLandlockVersion && plan.sandbox == Sandbox::kRequired) {
    return "this kernel lacks " + sandbox::FindLackOfKernel();
  }
  if (version == 0) return "";
  HoldOwnFolder();
  const auto libraries = inspection::FindLibraryPaths(file.descriptor.Get(), file.canonical_path);
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

}  // namespace

void EnterSandbox(const SandboxPlan& plan, const InspectedPlugin& plugin, const std::string& path,
                  stages::CandidateLadder& ladder) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return ladder.Report(DescribeFailure(
        path, std::string("new privileges cannot be given up: ") + std::strerror(errno)));
  }
  const auto permissions = sandbox::ReadPermissions(plan.permissions);
  const bool is_bare = plan.sandbox == Sandbox::kNone;
  std::string why = is_bare ? "" : CloseTheFiles(plan, plugin.file, permissions);
  // Rules take open files to be made, and the filter lets no limit be set.
  if (auto failure = SetProcessLimits(plan, path)) return ladder.Report(std::move(*failure));
  if (why.empty() && !is_bare) why = TakeRights(plan, permissions);
  if (!why.empty()) ladder.Report(DescribeFailure(path, std::move(why)));
}

}  // namespace backplane::probing
