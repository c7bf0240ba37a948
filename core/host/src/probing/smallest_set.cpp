#include "probing/joint_run.hpp"

#include <numeric>

namespace backplane::probing {
namespace {

/// The first `count` members, and those that are known to be needed, which come behind them.
std::vector<std::size_t> Join(std::size_t count, const std::vector<std::size_t>& needed) {
  std::vector<std::size_t> members(count);
  std::iota(members.begin(), members.end(), std::size_t{0});
  members.insert(members.end(), needed.rbegin(), needed.rend());
  return members;
}

}  // namespace

std::optional<std::vector<std::size_t>> FindSmallestSet(std::size_t count,
                                                        const EndsBadly& ends_badly) {
  std::vector<std::size_t> needed;  // in falling order
  while (count > 0) {
    // Without the last of the fewest first members that are bad, they are not.
    std::size_t low = 0;
    while (count - low > 1) {
      const std::size_t middle = low + (count - low) / 2;
      const auto is_bad = ends_badly(Join(middle, needed));
      if (!is_bad) return std::nullopt;
      (*is_bad ? count : low) = middle;
    }
    needed.push_back(--count);
    const auto is_bad = ends_badly(Join(0, needed));
    if (!is_bad) return std::nullopt;
    if (*is_bad) return Join(0, needed);
  }
  return std::nullopt;
}

}  // namespace backplane::probing
