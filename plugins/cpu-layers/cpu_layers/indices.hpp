#pragma once

/// Indices that are known only when a layer runs. They may be anything.

#include <backplane/api/exceptions.hpp>

#include <cstdint>
#include <string>

namespace backplane {
namespace cpu_layers {

/// Whether there is such an index; then `index` is from 0 to less than the extent.
inline bool ResolveIndex(std::int64_t extent, std::int64_t& index) {
  if (index < 0) index += extent;
  return index >= 0 && index < extent;
}

/// An index of which CheckIndices has said that it exists. Negative ones count from the end.
inline std::int64_t GetIndex(std::int64_t index, std::int64_t extent) {
  return index < 0 ? index + extent : index;
}

inline bool IsOutside(std::int64_t index, std::int64_t extent) {
  const auto size = static_cast<std::uint64_t>(extent);
  return static_cast<std::uint64_t>(index) + size >= 2 * size;
}

/// `place`: which of the indices it is.
inline std::string DescribeOutside(std::int64_t index, std::int64_t place, std::int64_t extent) {
  const std::string found = "found " + std::to_string(index) + " as element " +
                            std::to_string(place) + " of the indices; expected ";
  if (extent == 0) return found + "none, because the axis is empty";
  return found + std::to_string(-extent) + " to " + std::to_string(extent - 1) +
         ", because the axis has " + std::to_string(extent);
}

[[noreturn]] inline void ThrowOutside(std::int64_t index, std::int64_t place, std::int64_t extent) {
  throw InvalidArgumentException(DescribeOutside(index, place, extent));
}

/// Errors: InvalidArgumentException when one of them lies outside of the axis.
template <typename Index>
void CheckIndices(const Index* indices, std::int64_t count, std::int64_t extent) {
  bool is_wrong = false;
  for (std::int64_t i = 0; i < count; ++i) is_wrong |= IsOutside(indices[i], extent);
  for (std::int64_t i = 0; is_wrong && i < count; ++i) {
    if (IsOutside(indices[i], extent)) ThrowOutside(indices[i], i, extent);
  }
}

}  // namespace cpu_layers
}  // namespace backplane
