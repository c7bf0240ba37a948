#pragma once

#include <cstddef>
#include <string>

namespace backplane::execute_network::test {

/// A .npy file with this header, word for word, and this data.
inline std::string MakeFile(const std::string& header, const std::string& data, int version = 1) {
  std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  std::size_t length = header.size();
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i, length /= 256) {
    file += static_cast<char>(length % 256);
  }
  return file + header + data;
}

/// The header of an array in C order.
inline std::string MakeHeader(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

}  // namespace backplane::execute_network::test
