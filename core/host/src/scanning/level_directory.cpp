#include "scanning/level_directory.hpp"

#include "inspection/cpu_level.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace backplane::scanning {
namespace {

/// How the names of levels begin, and whose they are.
struct LevelFamily {
  std::string_view prefix;
  const char* architecture;
};

constexpr LevelFamily kX86{"x86-64-v", "x86-64"};
constexpr LevelFamily kFamilies[] = {kX86, {"power", "POWER"}, {"z", "z/Architecture"}};
constexpr std::size_t kMostDigits = 2;

/// The number behind the prefix; nothing when there is none.
std::optional<unsigned> ReadLevel(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return std::nullopt;
  name.remove_prefix(prefix.size());
  const bool is_number =
      !name.empty() && name.size() <= kMostDigits && name.front() != '0' &&
      std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return std::nullopt;
  unsigned level = 0;
  for (const char c : name) level = 10 * level + static_cast<unsigned>(c - '0');
  return level;
}

bool IsDirectory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Diagnostic DescribeLeftOut(const std::string& path, std::string why) {
  Diagnostic diagnostic{DiagnosticCode::kCpuLevelLeftOut, Severity::kNote};
  diagnostic.subject = {SubjectKind::kDirectory, path};
  diagnostic.what = "the backends in " + path + " are for another processor and were left out";
  diagnostic.why = std::move(why);
  diagnostic.fix =
      "nothing needs to be done when the directory above it has files for this processor";
  return diagnostic;
}

std::optional<Diagnostic> CheckX86Level(const std::string& path, unsigned level) {
  const std::uint32_t present = inspection::GetLevelsOfThisCpu();
  if (present == 0) {
    return DescribeLeftOut(path, "its name is a level of x86-64, and this processor is none");
  }
  if (level <= 32 && (present >> (level - 1) & 1U) != 0) return std::nullopt;
  return DescribeLeftOut(path, "its name asks for x86-64-v" + std::to_string(level) +
                                   ", this processor is " + inspection::GetLevelName(present));
}

}  // namespace

std::optional<LevelDirectory> FindLevelDirectory(const std::string& path,
                                                 const std::string& file_name) {
  for (const LevelFamily& family : kFamilies) {
    const auto level = ReadLevel(file_name, family.prefix);
    if (!level || !IsDirectory(path)) continue;
    if (family.prefix == kX86.prefix)
      return LevelDirectory{path, *level, CheckX86Level(path, *level)};
    return LevelDirectory{
        path, 0,
        DescribeLeftOut(path, std::string("its name is a level of ") + family.architecture +
                                  ", whose levels are not told apart here")};
  }
  return std::nullopt;
}

}  // namespace backplane::scanning
