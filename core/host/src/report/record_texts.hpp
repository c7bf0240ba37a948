#pragma once

/// Texts in records: any bytes, packed. See packed_bytes.hpp.

#include <nlohmann/json_fwd.hpp>

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

}  // namespace backplane::report
