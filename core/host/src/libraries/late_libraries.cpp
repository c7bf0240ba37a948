#include "libraries/late_libraries.hpp"

#include "elf/limits.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace backplane::libraries {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostLateFaults = 10;            // that are told
constexpr std::size_t kMostLateNoteBytes = 64 * 1024;  // of one note

struct PriorityName {
  std::string_view name;
  LatePriority priority;
};

constexpr PriorityName kPriorityNames[] = {
    {"required", LatePriority::kRequired},
    {"recommended", LatePriority::kRecommended},
    {"suggested", LatePriority::kSuggested},
};

bool IsLibraryName(const std::string& text) {
  return !text.empty() && text.size() <= elf::GetMost(elf::Limit::kLibraryNameBytes) &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

/// The texts of "soname", which may be one text or an array of them; empty when they are none.
std::vector<std::string> ReadSonames(const Json& entry) {
  const auto found = entry.find("soname");
  if (found == entry.end()) return {};
  const std::vector<Json> values =
      found->is_array() ? found->get<std::vector<Json>>() : std::vector<Json>{*found};
  std::vector<std::string> sonames;
  for (const Json& value : values) {
    if (!value.is_string() || !IsLibraryName(value.get_ref<const std::string&>())) return {};
    sonames.push_back(value.get<std::string>());
  }
  return sonames;
}

std::string ReadText(const Json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// The metadata knows three words; without one it means "recommended".
std::optional<LatePriority> ReadPriority(const Json& entry) {
  if (!entry.contains("priority")) return LatePriority::kRecommended;
  const std::string text = ReadText(entry, "priority");
  for (const PriorityName& row : kPriorityNames) {
    if (row.name == text) return row.priority;
  }
  return std::nullopt;
}

/// Empty when it could be read.
std::string ReadEntry(const Json& entry, std::vector<LateLibrary>& libraries) {
  if (!entry.is_object()) return "is no object";
  LateLibrary library;
  library.sonames = ReadSonames(entry);
  if (library.sonames.empty()) return "has no \"soname\" with names of libraries";
  const std::optional<LatePriority> priority = ReadPriority(entry);
  if (!priority) return "has a \"priority\" other than required, recommended and suggested";
  library.priority = *priority;
  library.feature = EscapeForDisplay(ReadText(entry, "feature"));
  libraries.push_back(std::move(library));
  return {};
}

void ReadNote(std::string_view note, LateLibraries& found) {
  const auto add_fault = [&found](std::string fault) {
    if (found.faults.size() < kMostLateFaults) found.faults.push_back(std::move(fault));
  };
  if (note.size() > kMostLateNoteBytes) {
    add_fault("a note has " + std::to_string(note.size()) + " bytes, more than " +
              std::to_string(kMostLateNoteBytes));
    return;
  }
  const Json entries = Json::parse(note.substr(0, note.find('\0')), nullptr, false);
  if (!entries.is_array()) {
    add_fault("a note of " + std::to_string(note.size()) + " bytes is no JSON array");
    return;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string fault = ReadEntry(entries[i], found.libraries);
    if (!fault.empty()) add_fault("entry " + std::to_string(i) + " of a note " + fault);
  }
}

}  // namespace

LateLibraries ReadLateLibraries(const std::vector<std::string_view>& notes) {
  LateLibraries found;
  for (const std::string_view note : notes) {
    ReadNote(note, found);
    // Enough to say that there are too many.
    if (found.libraries.size() > elf::GetMost(elf::Limit::kLateLibraries)) break;
  }
  return found;
}

}  // namespace backplane::libraries
