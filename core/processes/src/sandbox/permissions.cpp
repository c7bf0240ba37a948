#include "sandbox/permissions.hpp"

#include <backplane/api/permissions.hpp>

#include <algorithm>
#include <cstddef>

namespace backplane::sandbox {
namespace {

struct PermissionRow {
  std::string_view name;
  std::string_view text;  // completes "the backend ..."
};

constexpr PermissionRow kPermissionRows[] = {
#define BACKPLANE_PERMISSION(name, takes, text) {#name, text},
#include <backplane/api/permissions.def>
#undef BACKPLANE_PERMISSION
};

std::string_view GetPermissionName(std::string_view text) {
  return text.substr(0, text.find(':'));
}

}  // namespace

std::vector<Permission> ReadPermissions(const std::vector<std::string>& texts) {
  std::vector<Permission> permissions;
  for (const std::string& text : texts) {
    const bool is_known =
        manifest_rule::IsPermission(text) && manifest_rule::IsKnownPermission(text);
    if (!is_known) continue;
    const std::string_view name = GetPermissionName(text);
    const auto* row = std::find_if(std::begin(kPermissionRows), std::end(kPermissionRows),
                                   [&](const PermissionRow& one) { return one.name == name; });
    const std::string path = name.size() < text.size() ? text.substr(name.size() + 1) : "";
    permissions.push_back({static_cast<PermissionKind>(row - std::begin(kPermissionRows)), path});
  }
  return permissions;
}

bool Has(const std::vector<Permission>& permissions, PermissionKind kind) {
  return std::any_of(permissions.begin(), permissions.end(),
                     [&](const Permission& permission) { return permission.kind == kind; });
}

std::string DescribePermission(const std::string& text) {
  if (!manifest_rule::IsKnownPermission(text)) return text + " (not known here, and not granted)";
  for (const PermissionRow& row : kPermissionRows) {
    if (row.name == GetPermissionName(text)) return text + " (" + std::string(row.text) + ')';
  }
  return text;
}

}  // namespace backplane::sandbox
