#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace backplane {
namespace cpuacc {

/// The content of a file; empty when it is not there or cannot be read.
inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace cpuacc
}  // namespace backplane
