#pragma once

/// Texts such as "one, two, three".

#include <string>
#include <vector>

namespace backplane::check_backend {

inline void AddToList(std::string& list, const std::string& entry) {
  list += (list.empty() ? "" : ", ") + entry;
}

/// "" of no entries.
inline std::string WriteList(const std::vector<std::string>& entries) {
  std::string list;
  for (const std::string& entry : entries) AddToList(list, entry);
  return list;
}

}  // namespace backplane::check_backend
