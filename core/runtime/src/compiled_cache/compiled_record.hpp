#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::compiled_cache {

/// What is stored for a content: the content, with what tells whether it is still that.
std::vector<std::uint8_t> EncodeRecord(const std::string& key, const void* content,
                                       std::uint64_t size_bytes);

/// Leaves only the content of what EncodeRecord made for this key.
/// Errors: the reason, found and expected, when `record` is something else; "" when all is well.
std::string DecodeRecord(const std::string& key, std::vector<std::uint8_t>& record);

}  // namespace backplane::compiled_cache
