#pragma once

/// What operators set outside a program: where backends are, which are left out, which come first,
/// and which files may be opened. docs/environment.md describes variables and drop-in files.

#include <backplane/host/diagnostic.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/trust.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace backplane {

/// Whose wish a search path is.
enum class PathSource {
#define BACKPLANE_PATH_SOURCE(name, text) k##name,
#include <backplane/host/path_sources.def>
#undef BACKPLANE_PATH_SOURCE
};

/// "argument", "drop-in", ... Static storage. [any thread]
BACKPLANE_HOST_API const char* GetPathSourceName(PathSource source);

struct SearchPath {
  std::string path;
  PathSource source = PathSource::kArgument;
  /// What set it: "/etc/backplane/backends.d/10-npu.conf:3", or "BACKPLANE_BACKENDS_PATH, element
  /// 2". Empty when the source says all.
  std::string origin = {};
};

/// Something that was set outside the program.
struct Setting {
  std::string value;
  std::string origin;  // what set it, as SearchPath::origin
};

/// Builds of backends that are known not to work.
struct KnownBadBackend {
  std::string digest;  // SHA-256 in hexadecimal digits; empty: by what the manifest states
  std::string vendor;
  std::string id;
  std::string first_version;  // of the product, both included; empty: every version
  std::string last_version;
  std::string text;    // what is wrong with them
  std::string origin;  // what set it, as SearchPath::origin
};

struct Configuration {
  std::vector<SearchPath> search_paths;      // in the order of preference
  std::vector<Setting> disabled;             // backend ids, or globs of ids or of file names
  std::vector<Setting> isolated;             // the same
  std::vector<Setting> sandboxed;            // the same, for those that run in a sandbox too
  std::vector<Setting> refused_permissions;  // the same, for those whose manifest widens nothing
  std::vector<Setting> passed_variables;     // names, as IsolationSettings::environment
  /// Takes the place of ProbeSettings::max_data_bytes; 0: no limit.
  std::optional<std::uint64_t> probe_max_data_bytes;
  std::vector<Setting> preferred;  // backend ids, the most preferred first
  /// SHA-256 digests as sha256sum writes them. When there are any, only files with one of them, or
  /// with one of TrustOptions::digest_list, are opened. An empty one allows nothing: its line, or
  /// its file, cannot be used.
  std::vector<Setting> digests;
  std::vector<KnownBadBackend> known_bad;  // none of these is opened
  std::string directory;                   // where drop-in files are
  std::vector<Diagnostic> diagnostics;     // warnings; everything else holds
};

/// Whether the user's own directory, backplane/backends in $XDG_DATA_HOME or ~/.local/share, is
/// searched too.
enum class UserBackends { kLeave, kSearch };

struct ConfigurationRequest {
  UserBackends user_backends = UserBackends::kLeave;
  /// Drop-in files are judged by it as backends are: those that others may write are left out.
  TrustPolicy policy = TrustPolicy::kOwner;
};

/// Reads the variables and the drop-in files, now. What wins over what is a table in
/// docs/operators-guide.md. In secure execution (set-user-ID programs and the like) there are no
/// variables, and drop-in files are judged strictly.
/// Errors: none; what cannot be used is in the diagnostics.
/// [any thread]
BACKPLANE_HOST_API Configuration ReadConfiguration(const ConfigurationRequest& request = {});

}  // namespace backplane
