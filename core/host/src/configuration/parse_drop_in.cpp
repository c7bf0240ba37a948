#include "configuration/parse_drop_in.hpp"

#include "configuration/configuration_diagnostics.hpp"
#include "configuration/parse_known_bad.hpp"
#include "files/digest_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

namespace backplane::configuration {
namespace {

constexpr std::size_t kMaxLineBytes = 4096;
constexpr std::size_t kMaxShownBytes = 80;
constexpr std::size_t kMostFaults = 20;  // of one file that are told one by one
constexpr std::string_view kDigestKey = "digest";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view TrimBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// Whether a line can be shown as it is: UTF-8, without control characters other than tabs.
bool IsText(std::string_view line) {
  std::string text(line);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return EscapeForDisplay(text) == text;
}

/// An id has neither blanks nor, to be named among others, commas.
bool IsOneName(const std::string& value) {
  return !value.empty() && value.find_first_of(", \t") == std::string::npos;
}

bool TakePath(Setting setting, Configuration& configuration) {
  if (setting.value.empty()) return false;
  configuration.search_paths.push_back(
      {std::move(setting.value), PathSource::kDropIn, std::move(setting.origin)});
  return true;  // what is wrong with a directory is told when it is searched
}

/// A line for each name.
template <std::vector<Setting> Configuration::*kList>
bool TakeName(Setting setting, Configuration& configuration) {
  if (!IsOneName(setting.value)) return false;
  (configuration.*kList).push_back(std::move(setting));
  return true;
}

/// Who lists digests does not want every file because of a slip in one.
bool TakeDigest(Setting setting, Configuration& configuration) {
  files::DigestList list;
  list.Read(setting.value);
  const bool is_digest = list.GetSize() == 1;
  if (!is_digest) setting.value.clear();
  configuration.digests.push_back(std::move(setting));
  return is_digest;
}

bool TakeProbeDataLimit(Setting setting, Configuration& configuration) {
  const auto bytes = ParseMebibytes(setting.value);
  if (bytes) configuration.probe_max_data_bytes = bytes;
  return bytes.has_value();
}

bool TakeKnownBad(Setting setting, Configuration& configuration) {
  std::optional<KnownBadBackend> bad = ParseKnownBad(setting.value);
  if (!bad) return false;
  bad->origin = std::move(setting.origin);
  configuration.known_bad.push_back(std::move(*bad));
  return true;
}

struct DropInKey {
  const char* name;
  const char* expected;
  bool (*take)(Setting setting, Configuration& configuration);  // false: the value is not right
};

constexpr DropInKey kDropInKeys[] = {
#define BACKPLANE_DROP_IN_KEY(key, Take, expected) {#key, expected, Take},
#include "configuration/drop_in_keys.def"
#undef BACKPLANE_DROP_IN_KEY
};

std::vector<std::string> GetKeyNames() {
  std::vector<std::string> names;
  for (const DropInKey& key : kDropInKeys) names.emplace_back(key.name);
  return names;
}

std::string ListKeyNames() {
  std::string list;
  for (const std::string& name : GetKeyNames()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string Quote(std::string_view text) {
  const bool is_cut = text.size() > kMaxShownBytes;
  return '"' + EscapeForDisplay(text.substr(0, kMaxShownBytes)) + (is_cut ? "...\"" : "\"");
}

class DropInParser {
 public:
  DropInParser(const std::string& file, Configuration& configuration)
      : file_(file), configuration_(configuration) {}

  void Parse(std::string_view text) {
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
      text.remove_prefix(kByteOrderMark.size());
    }
    while (!text.empty()) {
      ++line_number_;
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      ParseLine(TrimBlanks(line));
    }
    if (num_faults_ > kMostFaults) {
      Add(file_,
          "found " + std::to_string(num_faults_ - kMostFaults) + " more lines that cannot be used",
          "correct those that are named, and look again");
    }
  }

 private:
  void ParseLine(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    const std::size_t equals = line.find('=');
    const std::string_view name = TrimBlanks(line.substr(0, equals));
    if (equals != std::string_view::npos && line.size() <= kMaxLineBytes && IsText(line)) {
      TakeValue(std::string(name), std::string(TrimBlanks(line.substr(equals + 1))));
      return;
    }
    if (name == kDigestKey) TakeDigest({"", GetOrigin()}, configuration_);
    if (CountFault()) TellOfLine(line);
  }

  void TellOfLine(std::string_view line) {
    if (line.size() > kMaxLineBytes) {
      Tell("found " + std::to_string(line.size()) + " bytes in one line, expected at most " +
               std::to_string(kMaxLineBytes),
           "shorten the line");
    } else if (!IsText(line)) {
      Tell("found " + Quote(line) + ", expected text in UTF-8 without control characters",
           "write the line again, in UTF-8");
    } else {
      Tell("found " + Quote(line) + ", expected KEY = VALUE with one of the keys " + ListKeyNames(),
           "put a value behind \"=\", or \"#\" in front of a comment");
    }
  }

  void TakeValue(const std::string& name, const std::string& value) {
    const auto* key =
        std::find_if(std::begin(kDropInKeys), std::end(kDropInKeys),
                     [&](const DropInKey& candidate) { return candidate.name == name; });
    if (key == std::end(kDropInKeys)) {
      if (CountFault()) TellOfKey(name);
    } else if (!key->take({value, GetOrigin()}, configuration_) && CountFault()) {
      Tell("found " + Quote(value) + " behind \"" + name + " =\", expected " + key->expected,
           "correct the value; write a line for each when there are several");
    }
  }

  void TellOfKey(const std::string& name) {
    const std::string nearest = FindNearestName(name.substr(0, kMaxShownBytes), GetKeyNames());
    Tell("found the key " + Quote(name) + ", expected one of " + ListKeyNames(),
         nearest.empty() ? "correct the key, or remove the line"
                         : "did you mean \"" + nearest + "\"?");
  }

  std::string GetOrigin() const { return file_ + ':' + std::to_string(line_number_); }

  /// Whether the fault is to be told; of a file of faults not even the texts are made.
  bool CountFault() { return ++num_faults_ <= kMostFaults; }

  void Tell(std::string why, std::string fix) { Add(GetOrigin(), std::move(why), std::move(fix)); }

  void Add(const std::string& origin, std::string why, std::string fix) {
    configuration_.diagnostics.push_back(
        Warn(DiagnosticCode::kConfigurationLineUnusable, {SubjectKind::kFile, file_},
             origin + " cannot be used and was left out", std::move(why), std::move(fix)));
  }

  const std::string& file_;
  Configuration& configuration_;
  std::size_t line_number_ = 0;
  std::size_t num_faults_ = 0;
};

}  // namespace

std::optional<std::uint64_t> ParseMebibytes(std::string_view text) {
  constexpr unsigned kMebibyteBits = 20;
  std::uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = result.ec == std::errc() && result.ptr == text.data() + text.size();
  if (!is_number || number > ~std::uint64_t{0} >> kMebibyteBits) return std::nullopt;
  return number << kMebibyteBits;
}

void ParseDropIn(std::string_view text, const std::string& file, Configuration& configuration) {
  DropInParser(file, configuration).Parse(text);
}

}  // namespace backplane::configuration
