#pragma once

#include <cstdint>

namespace backplane {

/// One kind of tensor memory, known by its index in a KindTable.
using KindIndex = std::uint32_t;

/// The core's own kind; the first of every table.
constexpr KindIndex kHostKind = 0;

/// Stands for "none": of constants, which lie where the application put them.
constexpr KindIndex kNoKind = 0xffffffffU;

/// Stands for the core among the backends of a network.
constexpr std::uint32_t kCoreBackend = 0xffffffffU;

}  // namespace backplane
