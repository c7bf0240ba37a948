#include "report/file_facts_json.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdio>
#include <ctime>

namespace backplane {
namespace {

using Json = nlohmann::ordered_json;

Json MakeText(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(EscapeForDisplay(text));
}

Json MakeTexts(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(EscapeForDisplay(text));
  return list;
}

Json MakeNamed(const std::vector<NamedFact>& facts) {
  Json object = Json::object();
  for (const NamedFact& fact : facts) {
    object[EscapeForDisplay(fact.name)] = EscapeForDisplay(fact.value);
  }
  return object;
}

std::string MakeMode(std::uint32_t mode) {
  char text[8];
  std::snprintf(text, sizeof(text), "%04o", mode & 07777U);
  return text;
}

std::string MakeTime(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Json MakeLibraries(const FileFacts& facts) {
  Json list = Json::array();
  for (const NeededLibrary& library : facts.libraries) {
    list.push_back({{"name", EscapeForDisplay(library.name)},
                    {"path", MakeText(library.path)},
                    {"found_in", EscapeForDisplay(library.found_in)},
                    {"needs", MakeTexts(library.needs)}});
  }
  return list;
}

Json MakeContents(const FileFacts& facts) {
  return {{"machine", EscapeForDisplay(facts.machine)},
          {"cpu_level", MakeText(facts.cpu_level)},
          {"soname", MakeText(facts.soname)},
          {"build_id", MakeText(facts.build_id)},
          {"package", MakeNamed(facts.package)},
          {"abi_notes", facts.num_abi_notes},
          {"abi", MakeNamed(facts.abi)},
          {"exports", {{"count", facts.num_exports}, {"names", MakeTexts(facts.exports)}}},
          {"symbols",
           {{"needed", facts.num_symbols_needed}, {"undefined", facts.num_symbols_undefined}}},
          {"needs", MakeTexts(facts.needs)},
          {"libraries", MakeLibraries(facts)}};
}

}  // namespace

Json MakeJson(const FileFacts& facts) {
  return {{"size_bytes", facts.size_bytes},
          {"owner_id", facts.owner_id},
          {"owner", MakeText(facts.owner)},
          {"group_id", facts.group_id},
          {"group", MakeText(facts.group)},
          {"mode", MakeMode(facts.mode)},
          {"modified", MakeTime(facts.modified)},
          {"sha256", MakeText(facts.sha256)},
          {"contents", facts.is_format_sound ? MakeContents(facts) : Json(nullptr)}};
}

}  // namespace backplane
