#pragma once

/// The inputs of a model as the programs of this folder are given them: NAME=TYPE:DIMS:FILE.

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::bench {

struct GivenInput {
  std::string name;
  std::string type;  // as NumPy names it
  std::vector<std::int64_t> dims;
  std::vector<char> data;
};

std::vector<std::string> Split(const std::string& text, char separator);

/// DIMS are written 1x3x224x224, and empty for a scalar; FILE has raw elements.
GivenInput ReadInput(const std::string& word);

}  // namespace backplane::bench
