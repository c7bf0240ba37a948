#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace backplane::joint_run {

/// Whether these, in rising order, come to a bad end. Nothing: it cannot be found out.
using EndsBadly = std::function<std::optional<bool>(const std::vector<std::size_t>& members)>;

/// Of members numbered from 0 that come to a bad end, all of them, some that do so too, of which
/// none can be left out; in rising order. Takes about log2(count) questions for each of them.
/// Nothing: they did not come to it again, or `ends_badly` had no answer.
std::optional<std::vector<std::size_t>> FindSmallestSet(std::size_t count,
                                                        const EndsBadly& ends_badly);

}  // namespace backplane::joint_run
