#include "sandbox/landlock.hpp"

#include "wire/file_descriptor.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace backplane::sandbox {
namespace {

using wire::FileDescriptor;

// Newer headers of the kernel have these.
constexpr std::uint64_t kRefer = std::uint64_t{1} << 13U;     // from version 2 on
constexpr std::uint64_t kTruncate = std::uint64_t{1} << 14U;  // from version 3 on
constexpr std::uint64_t kControl = std::uint64_t{1} << 15U;   // from version 5 on
constexpr std::uint64_t kAbstractSockets = 1;                 // from version 6 on
constexpr std::uint64_t kSignals = 2;

constexpr std::uint64_t kOfFirstVersion = kRefer - 1;
constexpr std::uint64_t kOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                   LANDLOCK_ACCESS_FS_READ_FILE | kTruncate | kControl;

struct RulesetAttributes {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scopes;
};

std::uint64_t GetHandled(int version) {
  std::uint64_t handled = kOfFirstVersion;
  if (version >= 2) handled |= kRefer;
  if (version >= 3) handled |= kTruncate;
  if (version >= 5) handled |= kControl;
  return handled;
}

std::uint64_t GetAllowed(PathAccess access) {
  constexpr std::uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | kTruncate;
  constexpr std::uint64_t kMaking = LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                    LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                    LANDLOCK_ACCESS_FS_REMOVE_DIR | kRefer;
  switch (access) {
    case PathAccess::kRead:
      return kReading;
    case PathAccess::kReadAndRun:
      return kReading | LANDLOCK_ACCESS_FS_EXECUTE;
    case PathAccess::kReadAndWrite:
      return kReading | kWriting;
    case PathAccess::kChange:
      return kReading | kWriting | kMaking;
    case PathAccess::kUseDevice:
      return kReading | kWriting | kControl;
  }
  return 0;
}

int AddRule(int ruleset, const FileDescriptor& file, std::uint64_t allowed) {
  struct stat status {};
  if (fstat(file.Get(), &status) != 0) return errno;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(status.st_mode) ? allowed : allowed & kOfFiles;
  rule.parent_fd = file.Get();
  const long result = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  return result == 0 ? 0 : errno;
}

std::string Describe(const std::string& step, int error) {
  return step + ": " + std::strerror(error);
}

}  // namespace

int GetLandlockVersion() {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, std::size_t{0},
                               LANDLOCK_CREATE_RULESET_VERSION);
  return static_cast<int>(std::max(version, 0L));
}

std::string FindLackOfKernel() {
  const int version = GetLandlockVersion();
  if (version >= kLeastLandlockVersion) return "";
  return "Landlock, by which files are closed to a process: found " +
         (version == 0 ? "none" : "version " + std::to_string(version)) + ", expected version " +
         std::to_string(kLeastLandlockVersion) + " or later (Linux 6.2)";
}

std::string RestrictPaths(const std::vector<PathRule>& rules, Outside outside) {
  const int version = GetLandlockVersion();
  RulesetAttributes attributes{};
  attributes.files = GetHandled(version);
  if (version >= 6) {
    attributes.scopes = kSignals | (outside == Outside::kCutOff ? kAbstractSockets : 0);
  }
  const FileDescriptor ruleset(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0)));
  if (!ruleset.IsOpen()) return Describe("no set of Landlock rules can be made", errno);
  for (const PathRule& rule : rules) {
    FileDescriptor file(::open(rule.path.c_str(), O_PATH | O_CLOEXEC));
    const bool is_not_there = !file.IsOpen() && (errno == ENOENT || errno == ENOTDIR ||
                                                 errno == EACCES || errno == ELOOP);
    if (is_not_there) continue;
    if (!file.IsOpen())
      return Describe(rule.path + " cannot be opened for its Landlock rule", errno);
    const int error = AddRule(ruleset.Get(), file, GetAllowed(rule.access) & attributes.files);
    if (error != 0) return Describe("the Landlock rule for " + rule.path + " is not taken", error);
  }
  if (syscall(SYS_landlock_restrict_self, ruleset.Get(), 0) != 0) {
    return Describe("the Landlock rules are not taken", errno);
  }
  return "";
}

}  // namespace backplane::sandbox
