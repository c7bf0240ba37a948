#include "inputs/test_data.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

namespace backplane::execute_network {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void ThrowUnusable(const fs::path& folder, const std::string& why) {
  throw DiagnosticException(
      {DiagnosticCode::kTensorFileUnreadable,
       Severity::kError,
       {SubjectKind::kDirectory, folder.string()},
       folder.string() + " has no test data",
       why,
       "give a folder of input_0.pb, output_0.pb, ... (or .npy), or of folders "
       "test_data_set_*",
       {}});
}

// The number in <prefix><number><suffix>; nothing for any other name.
std::optional<std::uint32_t> ReadNumber(const std::string& name, const std::string& prefix,
                                        const std::string& suffix) {
  if (name.size() <= prefix.size() + suffix.size() || name.rfind(prefix, 0) != 0 ||
      name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0) {
    return {};
  }
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size() - suffix.size();
  const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, number);
  if (error != std::errc() || rest != end) return {};
  return number;
}

// Entries <prefix><number><suffix> of a folder, by number.
std::map<std::uint32_t, fs::path> ListNumbered(const fs::path& folder, const std::string& prefix,
                                               const std::string& suffix) {
  std::map<std::uint32_t, fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const auto number = ReadNumber(entry->path().filename().string(), prefix, suffix);
    if (number) entries.emplace(*number, entry->path());
  }
  if (error) ThrowUnusable(folder, error.message());
  return entries;
}

// Tensors and arrays together; each number may be there once.
std::map<std::uint32_t, fs::path> ListData(const fs::path& folder, const std::string& prefix) {
  std::map<std::uint32_t, fs::path> entries = ListNumbered(folder, prefix, ".pb");
  for (const auto& [number, path] : ListNumbered(folder, prefix, ".npy")) {
    const auto [other, is_new] = entries.emplace(number, path);
    if (is_new) continue;
    ThrowUnusable(folder, "both " + other->second.filename().string() + " and " +
                              path.filename().string() + " are there");
  }
  return entries;
}

std::vector<std::string> ListFiles(const fs::path& folder, const std::string& prefix) {
  std::vector<std::string> files;
  for (const auto& [number, path] : ListData(folder, prefix)) {
    if (number != files.size()) {
      ThrowUnusable(folder, prefix + std::to_string(files.size()) + path.extension().string() +
                                " is missing, but " + path.filename().string() + " is there");
    }
    files.push_back(path.string());
  }
  return files;
}

DataSet ReadDataSet(const fs::path& folder) {
  const fs::path normal = (folder / "").lexically_normal().parent_path();
  return {normal.filename().string(), ListFiles(folder, "input_"), ListFiles(folder, "output_")};
}

}  // namespace

std::vector<DataSet> FindDataSets(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    ThrowUnusable(folder, fs::exists(folder, error) ? "it is not a folder" : "it does not exist");
  }
  std::vector<DataSet> sets;
  for (const auto& [number, path] : ListNumbered(folder, "test_data_set_", "")) {
    sets.push_back(ReadDataSet(path));
  }
  if (!sets.empty()) return sets;
  DataSet set = ReadDataSet(folder);
  if (set.inputs.empty() && set.outputs.empty()) {
    ThrowUnusable(folder, "found neither input_0.pb nor input_0.npy nor folders test_data_set_*");
  }
  return {set};
}

}  // namespace backplane::execute_network
