#include "facts_view.hpp"

#include "time_text.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstdio>
#include <set>

namespace backplane::list_backends {

using namespace command_line;

namespace {

constexpr std::size_t kLabelColumns = 16;
constexpr std::size_t kIndent = 2;

std::string ShowFact(const Terminal& terminal, std::string label, const std::string& value) {
  if (value.empty()) return "";
  label.resize(kLabelColumns, ' ');
  return WrapBehindLabel(terminal, kIndent, label, value);
}

std::string Join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string Join(const std::vector<NamedFact>& facts) {
  std::string text;
  for (const NamedFact& fact : facts) {
    text += (text.empty() ? "" : "; ") + fact.name + ": " + fact.value;
  }
  return text;
}

std::string GetOwnerText(const FileFacts& facts) {
  const std::string owner = facts.owner.empty() ? std::to_string(facts.owner_id) : facts.owner;
  const std::string group = facts.group.empty() ? std::to_string(facts.group_id) : facts.group;
  char mode[8];
  std::snprintf(mode, sizeof(mode), "%04o", facts.mode & 07777U);
  return owner + ':' + group + ", mode " + mode;
}

std::string GetAbiText(const FileFacts& facts) {
  if (facts.num_abi_notes == 0) return "none";
  return std::to_string(facts.num_abi_notes) + "; " + Join(facts.abi);
}

std::string GetExportsText(const FileFacts& facts) {
  std::string text = std::to_string(facts.num_exports);
  if (facts.exports.empty()) return text;
  text += ": " + Join(facts.exports);
  const std::size_t num_left = facts.num_exports - facts.exports.size();
  return num_left == 0 ? text : text + " and " + std::to_string(num_left) + " more";
}

std::string GetDebugText(const FileFacts& facts) {
  if (facts.has_debug_information) return "in the file";
  return facts.debug_link.empty() ? "none" : "in " + facts.debug_link;
}

std::string GetVersionsText(const FileFacts& facts) {
  std::string text;
  for (const NeededSymbolVersions& needed : facts.versions) {
    text += (text.empty() ? "" : "; ") + needed.library + ": " + Join(needed.versions);
  }
  return text;
}

/// Each library once, below the first that needs it.
class LibraryTree {
 public:
  LibraryTree(const FileFacts& facts, const Terminal& terminal)
      : facts_(facts), terminal_(terminal) {}

  std::string Show() {
    if (facts_.needs.empty()) return ShowFact(terminal_, "libraries", "none");
    return std::string(kIndent, ' ') + "libraries\n" + ShowAll(facts_.needs, 2 * kIndent);
  }

 private:
  std::string ShowAll(const std::vector<std::string>& names, std::size_t indent) {
    std::string text;
    for (const std::string& name : names) text += ShowOne(name, indent);
    return text;
  }

  std::string ShowOne(const std::string& name, std::size_t indent) {
    const auto library =
        std::find_if(facts_.libraries.begin(), facts_.libraries.end(),
                     [&](const NeededLibrary& candidate) { return candidate.name == name; });
    const bool is_known = library != facts_.libraries.end();
    // One that is not in the list is there under another name.
    if (!is_known || !shown_.insert(name).second) {
      return std::string(indent, ' ') + EscapeForDisplay(name) +
             (is_known ? " (above)\n" : " (has another name here)\n");
    }
    return ShowPlace(*library, indent) + ShowAll(library->needs, indent + kIndent);
  }

  /// Beside the name where there is room, else below it.
  std::string ShowPlace(const NeededLibrary& library, std::size_t indent) const {
    const std::string name = std::string(indent, ' ') + EscapeForDisplay(library.name);
    const std::string place = library.path.empty() ? "NOT FOUND, " + library.found_in
                                                   : library.path + " (" + library.found_in + ")";
    const std::string label = EscapeForDisplay(library.name) + "  ";
    if (MeasureColumns(name) + 2 + MeasureColumns(EscapeForDisplay(place)) <= terminal_.width) {
      return WrapBehindLabel(terminal_, indent, label, place);
    }
    return name + '\n' + WrapBehindLabel(terminal_, indent + 2 * kIndent, "", place);
  }

  const FileFacts& facts_;
  const Terminal& terminal_;
  std::set<std::string> shown_;
};

std::string ShowContents(const FileFacts& facts, const Terminal& terminal) {
  const std::string level = facts.cpu_level.empty() ? "" : ", needs " + facts.cpu_level;
  std::string text = ShowFact(terminal, "machine", facts.machine + level);
  text += ShowFact(terminal, "SONAME", facts.soname);
  text += ShowFact(terminal, "build id", facts.build_id);
  text += ShowFact(terminal, "debug info", GetDebugText(facts));
  text += ShowFact(terminal, "package", Join(facts.package));
  text += ShowFact(terminal, "ABI notes", GetAbiText(facts));
  text += ShowFact(terminal, "exports", GetExportsText(facts));
  text += ShowFact(terminal, "symbols",
                   std::to_string(facts.num_symbols_needed) + " from other libraries, " +
                       std::to_string(facts.num_symbols_undefined) + " defined nowhere");
  text += ShowFact(terminal, "versions", GetVersionsText(facts));
  return text + LibraryTree(facts, terminal).Show();
}

}  // namespace

std::string ShowFacts(const FileFacts& facts, const Terminal& terminal) {
  std::string text = ShowFact(terminal, "size", std::to_string(facts.size_bytes) + " bytes");
  text += ShowFact(terminal, "owner", GetOwnerText(facts));
  text += ShowFact(terminal, "modified", GetTimeText(facts.modified));
  text += ShowFact(terminal, "SHA-256", facts.sha256);
  return facts.is_format_sound ? text + ShowContents(facts, terminal) : text;
}

}  // namespace backplane::list_backends
