#pragma once

/// Makes damaged files of a good one. The same seed always makes the same file.

#include <cstdint>
#include <string>
#include <vector>

namespace backplane::fuzz {

/// A part of an ELF file whose bytes the loader believes.
struct Region {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
};

/// The header, the program headers, the dynamic section, and the tables of symbols, strings,
/// hashes, versions and relocations. The file must be sound and of this machine.
std::vector<Region> FindRegions(const std::string& bytes);

/// The file with a few bytes changed in one of its regions. Never the file itself.
std::string Corrupt(const std::string& bytes, const std::vector<Region>& regions,
                    std::uint64_t seed);

/// The lengths to which the file is cut: every 64 bytes, from none.
std::vector<std::uint64_t> GetTruncations(const std::string& bytes);

/// The whole of a file. Throws std::runtime_error when it cannot be read.
std::string ReadFile(const std::string& path);

}  // namespace backplane::fuzz
