#pragma once

#include <backplane/host/configuration.hpp>
#include <backplane/host/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace backplane::scanning {

/// Which backends are not to be opened: ids, or globs of ids or of file names.
class DisabledBackends {
 public:
  /// Those without an origin are the caller's own.
  explicit DisabledBackends(std::vector<Setting> patterns) : patterns_(std::move(patterns)) {}

  /// The note for a file whose name fits a glob, or has the id as its name.
  std::optional<Diagnostic> CheckFile(const std::string& path, const std::string& file_name) const;

  /// The note for an id that is disabled.
  std::optional<Diagnostic> CheckId(const std::string& path, const std::string& id) const;

 private:
  std::vector<Setting> patterns_;
};

}  // namespace backplane::scanning
