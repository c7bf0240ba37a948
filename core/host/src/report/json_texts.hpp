#pragma once

/// Texts as the reports for people and programs have them in JSON: escaped for display.

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

}  // namespace backplane::report
