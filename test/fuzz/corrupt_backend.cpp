/// Writes damaged copies of a backend into a directory.
///
///     corrupt_backend truncations GOOD                        prints how many there are
///     corrupt_backend truncations GOOD DIRECTORY FIRST COUNT  the file cut, every 64 bytes
///     corrupt_backend corruptions GOOD DIRECTORY FIRST COUNT  by the seeds from FIRST on

#include "mutants.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>

namespace {

using backplane::fuzz::Region;

void Write(const std::string& directory, const std::string& name, const std::string& bytes) {
  const std::string path = directory + "/Fuzz_" + name + "_backend.so";
  std::ofstream stream(path, std::ios::binary);
  if (!(stream << bytes)) throw std::runtime_error(path + " cannot be written");
}

void WriteTruncations(const std::string& bytes, const std::string& directory, std::size_t first,
                      std::size_t count) {
  const std::vector<std::uint64_t> lengths = backplane::fuzz::GetTruncations(bytes);
  for (std::size_t i = first; i < std::min(first + count, lengths.size()); ++i) {
    Write(directory, "T" + std::to_string(lengths[i]), bytes.substr(0, lengths[i]));
  }
}

void WriteCorruptions(const std::string& bytes, const std::string& directory, std::size_t first,
                      std::size_t count) {
  const std::vector<Region> regions = backplane::fuzz::FindRegions(bytes);
  for (std::size_t seed = first; seed < first + count; ++seed) {
    Write(directory, "C" + std::to_string(seed), backplane::fuzz::Corrupt(bytes, regions, seed));
  }
}

void Run(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  const bool is_known = kind == "truncations" || kind == "corruptions";
  if (!is_known || (argc != 6 && !(argc == 3 && kind == "truncations"))) {
    throw std::runtime_error("usage: corrupt_backend KIND GOOD [DIRECTORY FIRST COUNT]");
  }
  const std::string bytes = backplane::fuzz::ReadFile(argv[2]);
  if (argc == 3) {
    std::printf("%zu\n", backplane::fuzz::GetTruncations(bytes).size());
    return;
  }
  const std::size_t first = std::strtoul(argv[4], nullptr, 10);
  const std::size_t count = std::strtoul(argv[5], nullptr, 10);
  if (kind == "truncations") {
    WriteTruncations(bytes, argv[3], first, count);
  } else {
    WriteCorruptions(bytes, argv[3], first, count);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Run(argc, argv);
    return 0;
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "corrupt_backend: %s\n", exception.what());
    return 1;
  }
}
