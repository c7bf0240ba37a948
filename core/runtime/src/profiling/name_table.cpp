#include "profiling/name_table.hpp"

#include <utility>

namespace backplane::profiling {

NameTable::NameTable(std::size_t max_names, std::string instead) : max_names_(max_names) {
  names_.push_back(std::move(instead));
}

std::uint32_t NameTable::Number(std::string_view name) {
  constexpr std::size_t kMaxBytes = 256;
  name = name.substr(0, kMaxBytes);
  if (name.empty()) return 0;
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  if (names_.size() >= max_names_) return 0;
  const auto number = static_cast<std::uint32_t>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(name, number);
  return number;
}

}  // namespace backplane::profiling
