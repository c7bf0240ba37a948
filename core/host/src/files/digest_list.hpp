#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::files {

/// 64 hexadecimal digits, in lower case. Null: the text is anything else.
std::optional<std::string> ParseDigest(std::string_view text);

/// Digests of files, as sha256sum writes them: 64 hexadecimal digits, a space, a space or "*", and
/// a name, which only informs. Empty lines and those that begin with "#" say nothing.
class DigestList {
 public:
  /// Takes over all lines. What cannot be read is remembered and left out.
  void Read(std::string_view text);

  /// A line that cannot be read.
  struct Fault {
    std::size_t line = 0;  // from 1
    std::string found;
  };
  const std::vector<Fault>& GetFaults() const { return faults_; }

  /// `digest` in lower case.
  bool Contains(const std::string& digest) const { return digests_.count(digest) != 0; }
  std::size_t GetSize() const { return digests_.size(); }

  /// What the list has for files with this name, whatever their directory.
  std::vector<std::string> FindDigests(const std::string& file_name) const;

 private:
  /// False: the line cannot be read.
  bool ReadLine(std::string_view line);

  std::set<std::string> digests_;
  std::multimap<std::string, std::string> digests_by_name_;
  std::vector<Fault> faults_;
};

}  // namespace backplane::files
