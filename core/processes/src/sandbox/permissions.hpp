#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace backplane::sandbox {

enum class PermissionKind {
#define BACKPLANE_PERMISSION(name, takes, text) k_##name,
#include <backplane/api/permissions.def>
#undef BACKPLANE_PERMISSION
};

struct Permission {
  PermissionKind kind{};
  std::string path;  // "" where it takes none
};

/// Those of the texts that this host knows, "devices:/dev/dri". Of the others nothing is granted.
std::vector<Permission> ReadPermissions(const std::vector<std::string>& texts);

bool Has(const std::vector<Permission>& permissions, PermissionKind kind);

/// "devices:/dev/dri (reads, writes and controls the devices at this path)", or that it is not
/// known.
std::string DescribePermission(const std::string& text);

}  // namespace backplane::sandbox
