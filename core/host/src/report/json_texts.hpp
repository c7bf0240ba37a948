#pragma once

/// Pieces of JSON that several reports have; texts are escaped for display.

#include <backplane/host/file_facts.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace backplane::report {

/// Null: the text is empty.
nlohmann::ordered_json MakeTextOrNull(const std::string& text);

nlohmann::ordered_json MakeTexts(const std::vector<std::string>& texts);

/// "2026-01-31T23:59:59Z".
std::string MakeTime(std::chrono::system_clock::time_point time);

/// The facts as the report has them under "facts".
nlohmann::ordered_json MakeFacts(const FileFacts& facts);

}  // namespace backplane::report
