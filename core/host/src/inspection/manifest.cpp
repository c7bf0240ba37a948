#include "inspection/manifest.hpp"

#include "diagnostics/file_words.hpp"
#include "inspection/cpu_level.hpp"

#include <backplane/api/manifest.hpp>
#include <backplane/api/permissions.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace backplane::inspection {
namespace {

std::vector<std::string> SplitAtSpaces(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    words.emplace_back(word);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return words;
}

/// A key that this host knows, what its value may be, and where it goes.
struct ManifestKey {
  std::string_view name;
  bool (*is_allowed)(std::string_view value);
  const char* expected;
  void (*store)(std::string_view value, Manifest& manifest);
};

constexpr ManifestKey kKeys[] = {
    {"id", manifest_rule::IsId,
     "1 to 64 letters, digits and the characters . _ + -, other than Unknown",
     [](std::string_view value, Manifest& manifest) { manifest.id = value; }},
    {"vendor", manifest_rule::IsText, "1 to 128 printable bytes",
     [](std::string_view value, Manifest& manifest) { manifest.vendor = value; }},
    {"version", manifest_rule::IsVersion, "one to four numbers with dots between them",
     [](std::string_view value, Manifest& manifest) { manifest.version = value; }},
    {"license", manifest_rule::IsText, "1 to 128 printable bytes",
     [](std::string_view value, Manifest& manifest) { manifest.license = value; }},
    {"cpu_features", manifest_rule::IsFeatureList, "names with one space between them",
     [](std::string_view value, Manifest& manifest) {
       manifest.cpu_features = SplitAtSpaces(value);
     }},
    {"rank", manifest_rule::IsRank, "a decimal number of at most nine digits",
     [](std::string_view value, Manifest& manifest) {
       manifest.rank = manifest_rule::GetRank(value);
     }},
    {"permissions", manifest_rule::IsPermissionList,
     "permissions such as network or devices:/dev/dri, with one space between them",
     [](std::string_view value, Manifest& manifest) {
       manifest.permissions = SplitAtSpaces(value);
     }},
    {"operators", manifest_rule::IsOperatorList,
     "operators such as com.acme/Gelu/1-2, with one space between them",
     [](std::string_view value, Manifest& manifest) { manifest.operators = SplitAtSpaces(value); }},
};

const ManifestKey* FindKey(std::string_view name) {
  for (const ManifestKey& key : kKeys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

std::string Quote(std::string_view text) {
  return "\"" + EscapeForDisplay(text) + "\"";
}

/// Takes a manifest apart and collects what is wrong with it.
class ManifestReader {
 public:
  void Read(std::string_view description) {
    if (ReadHeader(description)) ReadEntries(description.substr(2 * sizeof(std::uint32_t)));
  }

  const std::vector<std::string>& GetFaults() const { return faults_; }
  Manifest& GetManifest() { return manifest_; }

 private:
  bool ReadHeader(std::string_view description) {
    std::uint32_t words[2] = {};
    if (description.size() < sizeof(words) || description.size() > kMaxManifestBytes) {
      faults_.push_back("it has " + std::to_string(description.size()) + " bytes, expected " +
                        std::to_string(sizeof(words)) + " to " + std::to_string(kMaxManifestBytes));
      return false;
    }
    std::memcpy(words, description.data(), sizeof(words));
    if (words[0] != kManifestMagic) {
      faults_.push_back("it begins with " + diagnostics::ToHex(words[0]) + ", expected " +
                        diagnostics::ToHex(kManifestMagic));
    } else if (words[1] != kManifestFormat) {
      faults_.push_back("its format is " + std::to_string(words[1]) + ", expected " +
                        std::to_string(kManifestFormat));
    }
    return faults_.empty();
  }

  void ReadEntries(std::string_view rest) {
    while (!rest.empty()) {
      const std::size_t end = rest.find('\0');
      if (end == std::string_view::npos) {
        faults_.push_back("its last text " + Quote(rest) + " has no end");
        return;
      }
      ReadEntry(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    if ((seen_ & 1U) == 0) faults_.emplace_back("it has no id");
  }

  void ReadEntry(std::string_view entry) {
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      faults_.push_back("found the text " + Quote(entry) + ", expected key=value");
      return;
    }
    const ManifestKey* key = FindKey(entry.substr(0, equals));
    if (key == nullptr) return;  // of a later format
    const std::string_view value = entry.substr(equals + 1);
    const unsigned bit = 1U << static_cast<unsigned>(key - kKeys);
    if ((seen_ & bit) != 0) {
      faults_.push_back("it has the key " + std::string(key->name) + " twice");
    } else if (!key->is_allowed(value)) {
      faults_.push_back(std::string(key->name) + " is " + Quote(value) + ", expected " +
                        key->expected);
    } else {
      key->store(value, manifest_);
    }
    seen_ |= bit;
  }

  Manifest manifest_;
  std::vector<std::string> faults_;
  unsigned seen_ = 0;  // a bit for each key, the id's is the lowest
};

Diagnostic DescribeDamagedManifest(const std::string& path,
                                   const std::vector<std::string>& faults) {
  return diagnostics::DescribeFile(
      DiagnosticCode::kDamagedManifest, path, "has a manifest that cannot be read",
      diagnostics::JoinWithAnd(faults),
      "copy the file again from where it came from; vendor: write the manifest with "
      "backplane_add_backend or BACKPLANE_MANIFEST");
}

Diagnostic DescribeSeveral(const std::string& path, std::size_t count, bool are_equal) {
  const std::string number = std::to_string(count);
  if (are_equal) {
    return diagnostics::DescribeFile(
        DiagnosticCode::kSeveralManifests, path, "has its manifest several times",
        "found " + number + " equal ones, expected one",
        "vendor: write the manifest in one source file only", Severity::kNote);
  }
  return diagnostics::DescribeFile(
      DiagnosticCode::kSeveralManifests, path, "has manifests that differ",
      "found " + number + ", expected one",
      "vendor: write the manifest in one source file only, and link no other backend "
      "into this one");
}

Diagnostic DescribeMissingFeatures(const std::string& path, const Manifest& manifest,
                                   const std::vector<std::string>& missing) {
  std::vector<std::string> present;
  for (const std::string& feature : manifest.cpu_features) {
    if (std::find(missing.begin(), missing.end(), feature) == missing.end()) {
      present.push_back(feature);
    }
  }
  return diagnostics::DescribeFile(
      DiagnosticCode::kCpuFeatureMissing, path,
      "needs what this CPU does not have: " + diagnostics::JoinWithAnd(missing),
      "expected " + diagnostics::JoinWithAnd(manifest.cpu_features) +
          " (CPU features in the manifest), found " +
          (present.empty() ? "none of them" : "only " + diagnostics::JoinWithAnd(present)),
      "get a build of this backend for this CPU, or use another backend");
}

}  // namespace

ManifestResult CheckManifests(const std::vector<std::string_view>& descriptions,
                              const std::string& path) {
  ManifestResult result;
  if (descriptions.empty()) return result;
  if (descriptions.size() > 1) {
    const bool are_equal =
        std::all_of(descriptions.begin(), descriptions.end(),
                    [&](std::string_view other) { return other == descriptions.front(); });
    result.diagnostics.push_back(DescribeSeveral(path, descriptions.size(), are_equal));
    if (!are_equal) return result;
  }
  ManifestReader reader;
  reader.Read(descriptions.front());
  if (!reader.GetFaults().empty()) {
    result.diagnostics.push_back(DescribeDamagedManifest(path, reader.GetFaults()));
    return result;
  }
  const auto missing = FindMissingCpuFeatures(reader.GetManifest().cpu_features);
  if (!missing.empty()) {
    result.diagnostics.push_back(DescribeMissingFeatures(path, reader.GetManifest(), missing));
  }
  result.manifest = std::move(reader.GetManifest());
  return result;
}

}  // namespace backplane::inspection
