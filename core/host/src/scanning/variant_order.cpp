#include "scanning/variant_order.hpp"

#include "files/backend_file_name.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace backplane::scanning {
namespace {

int Compare(std::int64_t a, std::int64_t b) {
  return a < b ? -1 : (a > b ? 1 : 0);
}

std::string GetVersionText(const Variant& variant) {
  return variant.version.empty() ? "not stated" : variant.version;
}

std::string GetLevelText(const Variant& variant) {
  return variant.cpu_level == 0 ? "any" : "x86-64-v" + std::to_string(variant.cpu_level);
}

/// One thing that decides between two files: the higher one comes first.
struct Criterion {
  const char* name;
  int (*compare)(const Variant& a, const Variant& b);
  std::string (*get_text)(const Variant& variant);
};

constexpr Criterion kCriteria[] = {
    {"rank", [](const Variant& a, const Variant& b) { return Compare(a.rank, b.rank); },
     [](const Variant& variant) { return std::to_string(variant.rank); }},
    {"version",
     [](const Variant& a, const Variant& b) {
       return files::CompareVersions(a.version, b.version);
     },
     GetVersionText},
    {"CPU level",
     [](const Variant& a, const Variant& b) { return Compare(a.cpu_level, b.cpu_level); },
     GetLevelText},
};

const Criterion* FindDecision(const Variant& a, const Variant& b) {
  for (const Criterion& criterion : kCriteria) {
    if (criterion.compare(a, b) != 0) return &criterion;
  }
  return nullptr;
}

/// For each variant, the place of its vendor among those that occur.
std::vector<std::size_t> NumberVendors(const std::vector<Variant>& variants) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> vendors;
  for (const Variant& variant : variants) {
    vendors.push_back(numbers.emplace(variant.vendor, numbers.size()).first->second);
  }
  return vendors;
}

std::vector<std::optional<std::size_t>> FindReplacements(const std::vector<Variant>& variants) {
  std::map<std::string, std::size_t> first;  // of each name
  std::vector<std::optional<std::size_t>> replaced_by(variants.size());
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (variants[i].family.empty()) continue;
    const std::size_t holder = first.emplace(variants[i].family, i).first->second;
    if (variants[holder].search_path != variants[i].search_path) replaced_by[i] = holder;
  }
  return replaced_by;
}

}  // namespace

std::vector<Standing> OrderVariants(const std::vector<Variant>& variants) {
  const auto vendors = NumberVendors(variants);
  const auto replaced_by = FindReplacements(variants);
  std::vector<std::size_t> order(variants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (vendors[a] != vendors[b]) return vendors[a] < vendors[b];
    if (replaced_by[a].has_value() != replaced_by[b].has_value()) return !replaced_by[a];
    const Criterion* decision = FindDecision(variants[a], variants[b]);
    return decision != nullptr && decision->compare(variants[a], variants[b]) > 0;
  });
  std::vector<Standing> standings;
  for (const std::size_t index : order) standings.push_back({index, replaced_by[index]});
  return standings;
}

std::string DescribeDecision(const Variant& chosen, const std::string& chosen_name,
                             const Variant& other) {
  const Criterion* decision = FindDecision(chosen, other);
  if (decision == nullptr) {
    return "rank, version and CPU level are equal, and " + chosen_name +
           " comes first in the order of paths";
  }
  if (decision->compare(chosen, other) < 0) {
    return chosen_name + " is another version of a name that comes first";
  }
  const std::string name = decision->name;
  return "its " + name + " is " + decision->get_text(other) + ", that of " + chosen_name + " is " +
         decision->get_text(chosen);
}

}  // namespace backplane::scanning
