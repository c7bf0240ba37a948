#pragma once

#include <cstdint>
#include <optional>

namespace backplane {

/// Bytes of the file, memfd, device or dma-buf behind a descriptor.
/// Null: when it is not open, or has no size.
std::optional<std::uint64_t> GetFileSizeBytes(int file_descriptor);

}  // namespace backplane
