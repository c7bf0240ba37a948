#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>

namespace backplane {
namespace {

constexpr std::size_t kOtherCharacter = 2;
constexpr std::size_t kOtherCase = 1;

std::size_t CompareCharacters(char a, char b) {
  if (a == b) return 0;
  const auto fold = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return fold(a) == fold(b) ? kOtherCase : kOtherCharacter;
}

/// Edit distance; an exchange of two neighbours counts as one edit.
std::size_t MeasureDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j * kOtherCharacter;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i * kOtherCharacter;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      current[j] = std::min({last[j] + kOtherCharacter, current[j - 1] + kOtherCharacter,
                             last[j - 1] + CompareCharacters(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_last[j - 2] + kOtherCharacter);
      }
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::string FindNearestName(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    // A third of the longer name may differ: enough for slips, too little for other names.
    const std::size_t bound = kOtherCharacter * ((longer + 2) / 3);
    if (kOtherCharacter * (longer - shorter) > bound) continue;  // is told sooner
    const std::size_t distance = MeasureDistance(name, candidate);
    if (distance > bound) continue;
    if (nearest == nullptr || distance < least) {
      nearest = &candidate;
      least = distance;
    }
  }
  return nearest != nullptr ? *nearest : std::string();
}

}  // namespace backplane
