#include "sandbox/landlock.hpp"

#include <backplane/api/permissions.hpp>

namespace backplane::sandbox {
namespace {

constexpr struct {
  const char* path;
  PathAccess access;
} kPathRules[] = {
#define BACKPLANE_PATH_RULE(path, access) {path, PathAccess::access},
#include "sandbox/path_rules.def"
#undef BACKPLANE_PATH_RULE
};

// Where programs are, and the libraries that they need.
constexpr const char* kProgramFolders[] = {"/bin", "/lib", "/lib64", "/usr"};

/// A path of a permission may begin with the folder of the plugin.
std::string Expand(const std::string& path, const std::string& plugin) {
  const std::size_t size = manifest_rule::kOrigin.size();
  if (path.compare(0, size, manifest_rule::kOrigin) != 0) return path;
  return plugin.substr(0, plugin.find_last_of('/')) + path.substr(size);
}

void Append(const Permission& permission, const std::string& plugin, std::vector<PathRule>& rules) {
  switch (permission.kind) {
    case PermissionKind::k_devices:
      rules.push_back({permission.path, PathAccess::kUseDevice});
      return;
    case PermissionKind::k_read:
      rules.push_back({Expand(permission.path, plugin), PathAccess::kRead});
      return;
    case PermissionKind::k_write:
      rules.push_back({permission.path, PathAccess::kChange});
      return;
    case PermissionKind::k_processes:
      for (const char* folder : kProgramFolders) rules.push_back({folder, PathAccess::kReadAndRun});
      return;
    case PermissionKind::k_network:
      // Names are looked up by them.
      for (const char* file : {"/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf"}) {
        rules.push_back({file, PathAccess::kRead});
      }
      return;
  }
}

}  // namespace

std::vector<PathRule> MakePathRules(const std::string& plugin,
                                    const std::vector<std::string>& libraries,
                                    const std::vector<Permission>& permissions) {
  std::vector<PathRule> rules;
  for (const auto& rule : kPathRules) rules.push_back({rule.path, rule.access});
  rules.push_back({plugin, PathAccess::kRead});
  for (const std::string& library : libraries) rules.push_back({library, PathAccess::kRead});
  for (const Permission& permission : permissions) Append(permission, plugin, rules);
  return rules;
}

}  // namespace backplane::sandbox
