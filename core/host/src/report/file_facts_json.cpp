#include "report/json_texts.hpp"

#include <backplane/host/diagnostic.hpp>

#include <cstdio>

namespace backplane::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson MakeNamed(const std::vector<NamedFact>& facts) {
  OrderedJson object = OrderedJson::object();
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

OrderedJson MakeLibraries(const FileFacts& facts) {
  OrderedJson list = OrderedJson::array();
  for (const NeededLibrary& library : facts.libraries) {
    list.push_back({{"name", EscapeForDisplay(library.name)},
                    {"path", MakeTextOrNull(library.path)},
                    {"found_in", EscapeForDisplay(library.found_in)},
                    {"needs", MakeTexts(library.needs)}});
  }
  return list;
}

OrderedJson MakeVersions(const FileFacts& facts) {
  auto versions = OrderedJson::object();
  for (const NeededSymbolVersions& needed : facts.versions) {
    versions[EscapeForDisplay(needed.library)] = MakeTexts(needed.versions);
  }
  return versions;
}

OrderedJson MakeContents(const FileFacts& facts) {
  return {{"machine", EscapeForDisplay(facts.machine)},
          {"cpu_level", MakeTextOrNull(facts.cpu_level)},
          {"soname", MakeTextOrNull(facts.soname)},
          {"build_id", MakeTextOrNull(facts.build_id)},
          {"debug_information", facts.has_debug_information},
          {"debug_link", MakeTextOrNull(facts.debug_link)},
          {"package", MakeNamed(facts.package)},
          {"abi_notes", facts.num_abi_notes},
          {"abi", MakeNamed(facts.abi)},
          {"exports", {{"count", facts.num_exports}, {"names", MakeTexts(facts.exports)}}},
          {"symbols",
           {{"needed", facts.num_symbols_needed}, {"undefined", facts.num_symbols_undefined}}},
          {"versions", MakeVersions(facts)},
          {"needs", MakeTexts(facts.needs)},
          {"libraries", MakeLibraries(facts)}};
}

}  // namespace

OrderedJson MakeFacts(const FileFacts& facts) {
  return {{"size_bytes", facts.size_bytes},
          {"owner_id", facts.owner_id},
          {"owner", MakeTextOrNull(facts.owner)},
          {"group_id", facts.group_id},
          {"group", MakeTextOrNull(facts.group)},
          {"mode", MakeMode(facts.mode)},
          {"modified", MakeTime(facts.modified)},
          {"sha256", MakeTextOrNull(facts.sha256)},
          {"contents", facts.is_format_sound ? MakeContents(facts) : OrderedJson(nullptr)}};
}

}  // namespace backplane::report
