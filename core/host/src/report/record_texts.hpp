#pragma once

/// Texts and enumerators in records. Texts are any bytes, packed: see packed_bytes.hpp.

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::report {

/// Thrown by readers of records on anything that a record cannot have; so are the JSON library's
/// own exceptions.
struct NotARecord {};

nlohmann::json PackAll(const std::vector<std::string>& texts);

/// Errors: NotARecord, or those of the JSON library.
std::string ReadText(const nlohmann::json& record);
std::vector<std::string> ReadTexts(const nlohmann::json& record);

/// A number from 0 to `last`. Errors: as ReadText.
std::int64_t ReadNumberUpTo(std::int64_t last, const nlohmann::json& record);

/// An enumerator by its number, of those from 0 to `last`. Errors: as ReadText.
template <typename Enum>
Enum ReadEnum(const nlohmann::json& record, Enum last) {
  return static_cast<Enum>(ReadNumberUpTo(static_cast<std::int64_t>(last), record));
}

}  // namespace backplane::report
