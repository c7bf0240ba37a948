#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::profiling {

/// Numbers for texts that come from outside: a bounded number of them, each of a bounded length. A
/// text that is known costs no memory.
///
/// Threads: one at a time.
class NameTable {
 public:
  /// `instead` stands for every name for which there is no room, and for the empty one.
  NameTable(std::size_t max_names, std::string instead);

  std::uint32_t Number(std::string_view name);
  const std::string& GetName(std::uint32_t number) const { return names_[number]; }
  std::size_t GetSize() const { return names_.size(); }

 private:
  std::size_t max_names_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<std::string> names_;
};

}  // namespace backplane::profiling
