#include "distributions.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace backplane::check_backend {
namespace {

struct Distribution {
  const char* name;
  const char* glibc;
  const char* glibcxx;
  const char* cxxabi;
};

constexpr Distribution kDistributions[] = {
#define BACKPLANE_DISTRIBUTION(name, glibc, glibcxx, cxxabi) {name, glibc, glibcxx, cxxabi},
#include "distributions.def"
#undef BACKPLANE_DISTRIBUTION
};

/// "3.4.30" as numbers; empty for what is no version.
std::vector<std::uint32_t> ReadVersion(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '.');) {
    const bool is_number =
        !part.empty() && part.size() < 9 &&
        std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_number) return {};
    numbers.push_back(static_cast<std::uint32_t>(std::stoul(part)));
  }
  return numbers;
}

/// The newest version that the distribution has of the set that a symbol's version is of; "" for
/// those of other libraries.
std::string FindNewest(const Distribution& distribution, const std::string& prefix) {
  if (prefix == "GLIBC_") return distribution.glibc;
  if (prefix == "GLIBCXX_") return distribution.glibcxx;
  return prefix == "CXXABI_" ? distribution.cxxabi : "";
}

std::string DescribeMissing(const Distribution& distribution, const std::string& library,
                            const std::string& version) {
  const std::size_t end = version.find('_');
  if (end == std::string::npos) return "";
  const std::string prefix = version.substr(0, end + 1);
  const std::string newest = FindNewest(distribution, prefix);
  const std::vector<std::uint32_t> needed = ReadVersion(version.substr(end + 1));
  if (newest.empty() || needed.empty() || needed <= ReadVersion(newest)) return "";
  return version + " of " + library + ", where " + distribution.name + " has up to " + prefix +
         newest;
}

}  // namespace

std::vector<std::string> GetDistributionNames() {
  std::vector<std::string> names;
  for (const Distribution& distribution : kDistributions) names.emplace_back(distribution.name);
  return names;
}

std::vector<std::string> FindMissingVersions(const std::string& distribution,
                                             const std::vector<NeededSymbolVersions>& needed) {
  const auto* row = std::find_if(std::begin(kDistributions), std::end(kDistributions),
                                 [&](const Distribution& one) { return distribution == one.name; });
  std::vector<std::string> missing;
  for (const NeededSymbolVersions& of_library : needed) {
    for (const std::string& version : of_library.versions) {
      const std::string text = DescribeMissing(*row, of_library.library, version);
      if (!text.empty()) missing.push_back(text);
    }
  }
  return missing;
}

}  // namespace backplane::check_backend
