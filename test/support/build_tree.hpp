#pragma once

#include <filesystem>
#include <string>

namespace backplane::test {

/// A file or folder of this build, by its path from the build's folder; test programs lie in the
/// folder bin of that. Nothing of it is compiled in, so that a test that is compiled for two builds
/// is one to the compiler cache.
inline std::string InBuildTree(const std::string& path) {
  static const std::filesystem::path kProgram = std::filesystem::read_symlink("/proc/self/exe");
  return (kProgram.parent_path().parent_path() / path).string();
}

}  // namespace backplane::test
