#pragma once

#include <string>

namespace backplane::check_backend {

/// A directory with nothing but a link to a file, in which a runtime finds it; for the life of the
/// object. It belongs to the process that watches: the other may die at any time.
class LinkDirectory {
 public:
  explicit LinkDirectory(const std::string& file);
  ~LinkDirectory();
  LinkDirectory(const LinkDirectory&) = delete;
  LinkDirectory& operator=(const LinkDirectory&) = delete;

  /// "" when it cannot be made.
  const std::string& GetPath() const { return path_; }
  /// Why it cannot be made.
  const std::string& GetFault() const { return fault_; }

 private:
  std::string path_;
  std::string fault_;
};

}  // namespace backplane::check_backend
