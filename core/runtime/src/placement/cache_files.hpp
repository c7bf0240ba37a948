#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace backplane::placement {

/// Notes that a file was used, for RemoveOldest.
void MarkUsed(const std::string& path);

/// Removes the files with this ending that were not used for the longest time, until the others
/// have at most `max_bytes` together; and what writers that were ended have left behind.
void RemoveOldest(const std::string& directory, std::string_view ending, std::uint64_t max_bytes);

}  // namespace backplane::placement
