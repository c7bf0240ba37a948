#include "inspection/cpu_level.hpp"

#include <fstream>
#include <set>
#include <sstream>

namespace backplane::inspection {
namespace {

/// Compilers and the kernel differ in dots, underscores, and a few names.
std::string Normalise(const std::string& name) {
  constexpr const char* kOtherNames[][2] = {
      {"sse3", "pni"}, {"lzcnt", "abm"}, {"bmi", "bmi1"}, {"sha", "shani"}};
  std::string plain;
  for (const char c : name) {
    if (c != '.' && c != '_' && c != '-') plain += c;
  }
  for (const auto& pair : kOtherNames) {
    if (plain == pair[0]) return pair[1];
  }
  return plain;
}

/// Of the first processor in the list; they are the same on all.
std::set<std::string> ReadFeatures() {
  std::set<std::string> features;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("flags", 0) != 0 && line.rfind("Features", 0) != 0) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) features.insert(Normalise(word));
    break;
  }
  return features;
}

}  // namespace

std::vector<std::string> FindMissingCpuFeatures(const std::vector<std::string>& names) {
  std::vector<std::string> missing;
  if (names.empty()) return missing;
  static const std::set<std::string> features = ReadFeatures();
  if (features.empty()) return missing;
  for (const std::string& name : names) {
    if (features.count(Normalise(name)) == 0) missing.push_back(name);
  }
  return missing;
}

}  // namespace backplane::inspection
