#include "report/record_texts.hpp"

#include "report/packed_bytes.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace backplane::report {

using Json = nlohmann::json;

Json PackAll(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(PackBytes(text));
  return list;
}

std::string ReadText(const Json& record) {
  auto bytes = UnpackBytes(record.get_ref<const std::string&>());
  if (!bytes) throw NotARecord{};
  return std::move(*bytes);
}

std::vector<std::string> ReadTexts(const Json& record) {
  std::vector<std::string> texts;
  for (const Json& text : record) texts.push_back(ReadText(text));
  return texts;
}

std::int64_t ReadNumberUpTo(std::int64_t last, const Json& record) {
  const auto number = record.get<std::int64_t>();
  if (number < 0 || number > last) throw NotARecord{};
  return number;
}

}  // namespace backplane::report
