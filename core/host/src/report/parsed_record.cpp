#include "report/parsed_record.hpp"

#include "report/record_texts.hpp"

namespace backplane::report {
namespace {

using Json = nlohmann::json;

// Of a candidate whose diagnostics have causes that have causes.
constexpr int kMaxDepth = 64;

void RequireShallow(std::string_view text) {
  bool is_in_string = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      is_in_string = !is_in_string;
    } else if (!is_in_string && (c == '[' || c == '{')) {
      if (++depth > kMaxDepth) throw NotARecord{};
    } else if (!is_in_string && (c == ']' || c == '}')) {
      --depth;
    }
  }
}

/// No deeper than RequireShallow lets through. What has no elements is destroyed without memory.
void Empty(Json& value) {
  if (value.is_array()) {
    auto& elements = value.get_ref<Json::array_t&>();
    for (Json& element : elements) Empty(element);
    elements.clear();
  } else if (value.is_object()) {
    auto& members = value.get_ref<Json::object_t&>();
    for (auto& member : members) Empty(member.second);
    members.clear();
  }
}

Json Parse(std::string_view text) {
  RequireShallow(text);
  return Json::parse(text);
}

}  // namespace

ParsedRecord::ParsedRecord(std::string_view text) : value_(Parse(text)) {}

ParsedRecord::~ParsedRecord() {
  Empty(value_);
}

}  // namespace backplane::report
