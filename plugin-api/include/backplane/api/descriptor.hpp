#pragma once

/// The common beginning of all layer descriptors, and the rule by which they grow.
///
/// A descriptor is a trivially copyable struct that begins with its own size, set by its
/// constructor. A later minor version may append fields. Whoever receives one from a side with
/// older or newer headers copies it with CopyDescriptor: what both know is taken over, what only
/// the receiver knows keeps its default. Descriptors end without padding, so that an appended field
/// never lies inside the size that an older one states.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace backplane {

struct BaseDescriptor {
  explicit BaseDescriptor(std::uint32_t size) : size_bytes(size) {}
  std::uint32_t size_bytes;
};

/// Base of the descriptor `Derived`: sets the size.
template <typename Derived>
struct Descriptor : BaseDescriptor {
  Descriptor() : BaseDescriptor(static_cast<std::uint32_t>(sizeof(Derived))) {}
};

/// For layers that have nothing to describe.
struct NoDescriptor : Descriptor<NoDescriptor> {};

/// A copy of `source` as these headers know the type, whichever headers made it.
///
/// `source` must be a Derived of the same layer type; a size smaller than BaseDescriptor's gives
/// all defaults.
template <typename Derived>
Derived CopyDescriptor(const BaseDescriptor& source) {
  Derived copy;
  // Some compilers warn of the copy of nothing.
  if constexpr (sizeof(Derived) > sizeof(BaseDescriptor)) {
    const std::size_t known = std::min<std::size_t>(source.size_bytes, sizeof(Derived));
    if (known > sizeof(BaseDescriptor)) {
      std::memcpy(reinterpret_cast<unsigned char*>(&copy) + sizeof(BaseDescriptor),
                  reinterpret_cast<const unsigned char*>(&source) + sizeof(BaseDescriptor),
                  known - sizeof(BaseDescriptor));
    }
  }
  return copy;
}

}  // namespace backplane

/// Stands after each descriptor: `last` is its last field.
#define BACKPLANE_CHECK_DESCRIPTOR(type, last)                                         \
  static_assert(std::is_trivially_copyable<type>::value, #type " is copied as bytes"); \
  _Pragma("GCC diagnostic push")                                                       \
      _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"") static_assert(          \
          sizeof(type) == __builtin_offsetof(type, last) + sizeof(type::last),         \
          #type " must end without padding");                                          \
  _Pragma("GCC diagnostic pop") static_assert(true, "a semicolon follows")
