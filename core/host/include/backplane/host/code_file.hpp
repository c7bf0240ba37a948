#pragma once

#include <backplane/host/export.hpp>

#include <sys/stat.h>

#include <memory>
#include <string>

namespace backplane {

/// The file that the code of a backend came from, as it was when that was loaded.
class BACKPLANE_HOST_API CodeFile {
 public:
  /// The file that was opened and checked before its code was loaded, whatever lies there now.
  /// `path` is absolute, with links resolved.
  CodeFile(std::string path, const struct stat& checked);
  /// The file that lies there now. `path` is absolute, with links resolved; "" when it is not
  /// known.
  explicit CodeFile(std::string path);
  ~CodeFile();
  CodeFile(const CodeFile&) = delete;
  CodeFile& operator=(const CodeFile&) = delete;

  /// [any thread]
  const std::string& GetPath() const;

  /// The SHA-256 digest of the file, as 64 lower-case hexadecimal digits. Reads the whole file, at
  /// the first call.
  /// Errors: "" when the file cannot be read, or is no longer the one that was loaded.
  /// [any thread]
  const std::string& GetDigest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace backplane
