#include "files/private_group.hpp"

#include <grp.h>
#include <pwd.h>

#include <cerrno>
#include <string>
#include <vector>

namespace backplane::files {
namespace {

constexpr std::size_t kFirstBufferSize = 1024;
constexpr std::size_t kLargestBufferSize = std::size_t{1} << 20U;

/// Asks again with more room for as long as that is what is missing. Null: there is no such entry.
template <typename Entry, typename Function>
const Entry* LookUp(Function function, unsigned id, Entry& entry, std::vector<char>& buffer) {
  Entry* found = nullptr;
  for (std::size_t size = kFirstBufferSize; size <= kLargestBufferSize; size *= 4) {
    buffer.resize(size);
    if (function(id, &entry, buffer.data(), buffer.size(), &found) != ERANGE) break;
  }
  return found;
}

}  // namespace

bool IsPrivateGroup(gid_t group, uid_t user) {
  std::vector<char> user_buffer;
  std::vector<char> group_buffer;
  passwd user_entry{};
  ::group group_entry{};
  const passwd* owner = LookUp(getpwuid_r, user, user_entry, user_buffer);
  if (owner == nullptr || owner->pw_gid != group) return false;
  const ::group* found = LookUp(getgrgid_r, group, group_entry, group_buffer);
  const std::string name = owner->pw_name;
  if (found == nullptr || name != found->gr_name) return false;
  for (char** member = found->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

}  // namespace backplane::files
