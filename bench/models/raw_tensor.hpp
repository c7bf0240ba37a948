#pragma once

/// Tensors as the programs of this folder are given and write them: raw elements in a file.

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::bench {

struct RawTensor {
  std::string name;
  std::string type;  // as NumPy names it
  std::vector<std::int64_t> dims;
  std::vector<char> data;
};

std::vector<std::string> Split(const std::string& text, char separator);

/// The word is NAME=TYPE:DIMS:FILE; DIMS are written 1x3x224x224, and empty for a scalar.
RawTensor ReadInput(const std::string& word);

/// Writes FOLDER/INDEX.bin, and gives {"type": ..., "dims": [...]}.
std::string WriteOutput(const RawTensor& output, const std::string& folder, std::size_t index);

}  // namespace backplane::bench
