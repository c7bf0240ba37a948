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

/// The row of a permission with what it takes. Null: it is not known here.
const PermissionRow* FindRow(std::string_view text) {
  if (!manifest_rule::IsKnownPermission(text)) return nullptr;
  const std::string_view name = text.substr(0, text.find(':'));
  return std::find_if(std::begin(kPermissionRows), std::end(kPermissionRows),
                      [&](const PermissionRow& row) { return row.name == name; });
}

}  // namespace

std::vector<Permission> ReadPermissions(const std::vector<std::string>& texts) {
  std::vector<Permission> permissions;
  for (const std::string& text : texts) {
    const PermissionRow* const row = manifest_rule::IsPermission(text) ? FindRow(text) : nullptr;
    if (row == nullptr) continue;
    const std::size_t size = row->name.size();
    permissions.push_back({static_cast<PermissionKind>(row - std::begin(kPermissionRows)),
                           size < text.size() ? text.substr(size + 1) : ""});
  }
  return permissions;
}

bool Has(const std::vector<Permission>& permissions, PermissionKind kind) {
  return std::any_of(permissions.begin(), permissions.end(),
                     [&](const Permission& permission) { return permission.kind == kind; });
}

std::string DescribePermission(const std::string& text) {
  const PermissionRow* const row = FindRow(text);
  return text + " (" + std::string(row != nullptr ? row->text : "not known here, and not granted") +
         ')';
}

}  // namespace backplane::sandbox
