#include "given_input.hpp"

#include <fstream>
#include <iterator>
#include <sstream>

namespace backplane::bench {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

GivenInput ReadInput(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  const std::size_t dims = word.find(':', equals);
  const std::size_t file = word.find(':', dims + 1);
  GivenInput input;
  input.name = word.substr(0, equals);
  input.type = word.substr(equals + 1, dims - equals - 1);
  for (const std::string& dim : Split(word.substr(dims + 1, file - dims - 1), 'x')) {
    input.dims.push_back(std::stoll(dim));
  }
  std::ifstream stream(word.substr(file + 1), std::ios::binary);
  input.data.assign(std::istreambuf_iterator<char>(stream), {});
  return input;
}

}  // namespace backplane::bench
