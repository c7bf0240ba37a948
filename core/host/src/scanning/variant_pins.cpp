#include "scanning/variant_pins.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <iterator>

namespace backplane::scanning {
namespace {

bool Matches(const std::string& pattern, const std::string& text) {
  return pattern == text || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool IsMeantBy(const VariantPin& pin, const Candidate& candidate) {
  if (pin.file.find('/') != std::string::npos) {
    return Matches(pin.file, candidate.path) || Matches(pin.file, candidate.canonical_path);
  }
  return Matches(pin.file, candidate.path.substr(candidate.path.find_last_of('/') + 1));
}

}  // namespace

std::vector<VariantPin> SelectPins(const std::vector<VariantPin>& pins, const std::string& id) {
  std::vector<VariantPin> selected;
  std::copy_if(pins.begin(), pins.end(), std::back_inserter(selected),
               [&](const VariantPin& pin) { return pin.id == id; });
  return selected;
}

bool IsMeant(const std::vector<VariantPin>& pins, const Candidate& candidate) {
  return pins.empty() || std::any_of(pins.begin(), pins.end(), [&](const VariantPin& pin) {
           return IsMeantBy(pin, candidate);
         });
}

std::string NamePinned(const std::vector<VariantPin>& pins) {
  std::string text;
  for (const VariantPin& pin : pins) text += (text.empty() ? "\"" : " or \"") + pin.file + '"';
  return text;
}

}  // namespace backplane::scanning
