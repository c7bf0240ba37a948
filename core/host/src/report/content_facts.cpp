#include "report/collect_facts.hpp"

#include "elf/file_notes.hpp"
#include "elf/machine.hpp"
#include "elf/needed_versions.hpp"
#include "elf/section_table.hpp"
#include "elf/symbol_table.hpp"
#include "inspection/abi_comparison.hpp"
#include "inspection/abi_notes.hpp"
#include "inspection/cpu_level.hpp"
#include "inspection/elf_checks.hpp"
#include "libraries/dependency_closure.hpp"
#include "libraries/shared_object.hpp"

#include <nlohmann/json.hpp>

#include <elf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace backplane::report {
namespace {

constexpr std::size_t kMostExports = 50;
constexpr std::uint32_t kPackageNoteType = 0xcafe1a7e;  // of the owner "FDO"

std::string ToHex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 0xFU];
  }
  return text;
}

/// A JSON object, with a zero byte behind it.
std::vector<NamedFact> ReadPackage(std::string_view description) {
  const auto json =
      nlohmann::json::parse(description.substr(0, description.find('\0')), nullptr, false);
  std::vector<NamedFact> facts;
  if (!json.is_object()) return facts;
  for (const auto& [name, value] : json.items()) {
    if (value.is_string()) facts.push_back({name, value.get<std::string>()});
  }
  return facts;
}

// Longer ones are none that tools write.
void AddNote(const elf::FileNote& note, FileFacts& facts) {
  constexpr std::size_t kMostIdBytes = 64;
  constexpr std::size_t kMostPackageBytes = 64 * 1024;
  if (note.owner == "GNU" && note.type == NT_GNU_BUILD_ID) {
    facts.build_id = ToHex(note.description.substr(0, kMostIdBytes));
  } else if (note.owner == "FDO" && note.type == kPackageNoteType && facts.package.empty() &&
             note.description.size() <= kMostPackageBytes) {
    facts.package = ReadPackage(note.description);
  }
}

void AddNotes(const elf::File& elf, FileFacts& facts) {
  for (const elf::Segment& segment : elf.GetSegments()) {
    if (!elf::HoldsNotes(segment)) continue;
    elf::NoteReader notes(elf, segment);
    while (const std::optional<elf::FileNote> note = notes.Next()) AddNote(*note, facts);
  }
  const inspection::AbiNotes abi = inspection::ReadAbiNotes(elf);
  facts.num_abi_notes = abi.notes.size();
  if (abi.notes.empty()) return;
  for (auto& [name, value] : inspection::DescribeNotes(abi.notes)) {
    facts.abi.push_back({std::move(name), std::move(value)});
  }
}

void AddExports(const elf::File& elf, FileFacts& facts) {
  const auto symbols = elf::SymbolTable::Open(elf);
  if (!symbols) return;
  std::vector<std::string_view> names;
  for (std::uint32_t index = 0; index < symbols->GetEndOfFindable(); ++index) {
    const auto symbol = symbols->Get(index);
    if (symbol && symbol->IsExported()) names.push_back(symbol->name);
  }
  facts.num_exports = names.size();
  const std::size_t num_told = std::min(names.size(), kMostExports);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(num_told);
  std::partial_sort(names.begin(), end, names.end());
  facts.exports.assign(names.begin(), end);
}

void AddVersions(const elf::File& elf, FileFacts& facts) {
  std::map<std::string_view, std::set<std::string_view>> versions;
  const elf::NeededVersions needed(elf);
  for (const elf::NeededVersion& version : needed.GetAll()) {
    if (!version.is_weak) versions[version.library].insert(version.name);
  }
  for (const auto& [library, names] : versions) {
    facts.versions.push_back({std::string(library), {names.begin(), names.end()}});
  }
}

}  // namespace

void AddContentFacts(const elf::File& elf, FileFacts& facts) {
  const elf::Header& header = elf.GetHeader();
  facts.machine = elf::GetMachineName(header.e_machine);
  const std::uint32_t levels = inspection::ReadNeededLevels(elf);
  if (levels != 0) facts.cpu_level = inspection::GetLevelName(levels);
  facts.soname = elf::ReadSoname(elf);
  facts.needs = elf::ReadNeeded(elf);
  const elf::DebugSections debug = elf::FindDebugSections(elf);
  facts.has_debug_information = debug.has_information;
  facts.debug_link = debug.link;
  AddVersions(elf, facts);
  AddNotes(elf, facts);
  AddExports(elf, facts);
}

}  // namespace backplane::report
