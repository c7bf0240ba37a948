/// write_seed_scripts FOLDER: lies of each kind, for libFuzzer to begin with.

#include "seed_scripts.hpp"

#include <filesystem>
#include <fstream>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& script : backplane::fuzz::MakeScripts()) {
    std::ofstream(folder / std::to_string(number++), std::ios::binary) << script;
  }
  return 0;
}
