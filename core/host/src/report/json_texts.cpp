#include "report/json_texts.hpp"

#include <backplane/host/diagnostic.hpp>

#include <ctime>

namespace backplane::report {

using OrderedJson = nlohmann::ordered_json;

OrderedJson MakeTextOrNull(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(EscapeForDisplay(text));
}

OrderedJson MakeTexts(const std::vector<std::string>& texts) {
  OrderedJson list = OrderedJson::array();
  for (const std::string& text : texts) list.push_back(EscapeForDisplay(text));
  return list;
}

std::string MakeTime(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace backplane::report
