#include "raw_tensor.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace backplane::bench {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

RawTensor ReadInput(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  const std::size_t dims = word.find(':', equals);
  const std::size_t file = word.find(':', dims + 1);
  RawTensor input;
  input.name = word.substr(0, equals);
  input.type = word.substr(equals + 1, dims - equals - 1);
  for (const std::string& dim : Split(word.substr(dims + 1, file - dims - 1), 'x')) {
    input.dims.push_back(std::stoll(dim));
  }
  std::ifstream stream(word.substr(file + 1), std::ios::binary);
  input.data.assign(std::istreambuf_iterator<char>(stream), {});
  return input;
}

std::string WriteOutput(const RawTensor& output, const std::string& folder, std::size_t index) {
  std::ofstream stream(folder + "/" + std::to_string(index) + ".bin", std::ios::binary);
  stream.write(output.data.data(), static_cast<std::streamsize>(output.data.size()));
  stream.close();
  if (!stream) throw std::runtime_error("cannot write into " + folder);
  std::ostringstream text;
  text << "{\"type\": \"" << output.type << "\", \"dims\": [";
  const char* separator = "";
  for (const std::int64_t dim : output.dims) {
    text << separator << dim;
    separator = ", ";
  }
  text << "]}";
  return text.str();
}

}  // namespace backplane::bench
