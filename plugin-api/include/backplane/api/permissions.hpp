#pragma once

/// Permissions: by what a backend wants its sandbox widened, when it runs in a process of its own
/// that may do no more than compute. They stand in the manifest, as the text of the key
/// "permissions", so that they can be read and refused before any code of the backend runs.

#include <backplane/api/manifest.hpp>

#include <cstddef>
#include <string_view>

namespace backplane {

namespace manifest_rule {

constexpr std::size_t kMaxPermissionsBytes = 1024;

// In a path, the folder of the backend's file.
constexpr std::string_view kOrigin = "$ORIGIN";

/// An absolute path other than "/", or one below the folder of the backend ("$ORIGIN/data"),
/// without spaces, quotes, "." and "..".
constexpr bool IsPermittedPath(std::string_view path) {
  if (path.substr(0, kOrigin.size()) == kOrigin) path.remove_prefix(kOrigin.size());
  if (path.size() < 2 || path.front() != '/') return false;
  std::size_t begin = 1;
  for (std::size_t i = 1; i <= path.size(); ++i) {
    if (i < path.size() && path[i] != '/') {
      if (path[i] <= ' ' || path[i] > '~' || path[i] == '"' || path[i] == '\\') return false;
      continue;
    }
    const std::string_view name = path.substr(begin, i - begin);
    if (name.empty() || name == "." || name == "..") return false;
    begin = i + 1;
  }
  return true;
}

/// "network" or "devices:/dev/dri", whether this host knows the name or not.
constexpr bool IsPermission(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  if (name.empty()) return false;
  for (const char c : name) {
    if ((c < 'a' || c > 'z') && c != '_') return false;
  }
  return colon == std::string_view::npos || IsPermittedPath(word.substr(colon + 1));
}

constexpr bool IsPermissionList(std::string_view text) {
  return IsList(text, kMaxPermissionsBytes, IsPermission);
}

// What stands behind the name of a permission, from the ":" on.
constexpr bool TakesNothing(std::string_view argument) {
  return argument.empty();
}

constexpr bool TakesPath(std::string_view argument) {
  return argument.substr(0, 2) == ":/";
}

constexpr bool TakesPathOrOrigin(std::string_view argument) {
  return TakesPath(argument) || argument.substr(1, kOrigin.size()) == kOrigin;
}

constexpr bool TakesDevicePath(std::string_view argument) {
  constexpr std::string_view kBegin = ":/dev/";
  return argument.substr(0, kBegin.size()) == kBegin;
}

/// Whether a permission stands in the table, with the argument that it takes.
constexpr bool IsKnownPermission(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  const std::string_view argument =
      colon == std::string_view::npos ? std::string_view() : word.substr(colon);
#define BACKPLANE_PERMISSION(row, takes, text) \
  if (name == #row) return takes(argument);
#include <backplane/api/permissions.def>
#undef BACKPLANE_PERMISSION
  return false;
}

/// A list of permissions that all stand in the table.
constexpr bool IsListOfKnownPermissions(std::string_view text) {
  return IsPermissionList(text) && IsList(text, kMaxPermissionsBytes, IsKnownPermission);
}

}  // namespace manifest_rule
}  // namespace backplane

/// Writes the manifest as BACKPLANE_MANIFEST does, in its place, with what the backend needs beyond
/// computing when it runs in a sandbox, and with the operators of its own.
///
///   BACKPLANE_MANIFEST_WITH("AcmeNpu", "Acme", "1.2.0", "Apache-2.0", "", 100,
///                           "devices:/dev/acme0", "com.acme/Gelu/1-2 com.acme/Fft/2");
///
/// `permissions` are those of permissions.def, with one space between them, or "". An operator sees
/// them and may refuse them. `operators` are what IBackendInternal::GetOperators declares, each as
/// domain/type/versions, with one space between them, or "". They are listed before any code of the
/// backend runs.
#define BACKPLANE_MANIFEST_WITH(id, vendor, version, license, cpu_features, rank, permissions, \
                                operators)                                                     \
  BACKPLANE_MANIFEST_CHECKS(id, vendor, version, license, cpu_features, rank);                 \
  BACKPLANE_MANIFEST_CHECK(permissions, IsListOfKnownPermissions, "the list of permissions");  \
  BACKPLANE_MANIFEST_CHECK(operators, IsOperatorList, "the list of operators");                \
  BP_MANIFEST(id, vendor, version, license, cpu_features, rank, permissions, operators);       \
  static_assert(true, "a semicolon follows")
