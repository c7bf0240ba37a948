#pragma once

#include <cstdint>
#include <memory>

namespace backplane {

/// A number for a content, which no other content of the process ever gets: for ConstTensor. 0: it
/// has none, because nobody owns it.
/// [any thread]
std::uint64_t IdentifyContent(const std::shared_ptr<const void>& data, std::uint64_t size_bytes);

}  // namespace backplane
