/// write_seed_messages FOLDER: one good message of each kind, for libFuzzer to begin with.

#include "read_message.hpp"

#include <filesystem>
#include <fstream>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& message : backplane::fuzz::MakeGoodMessages()) {
    std::ofstream(folder / std::to_string(number++), std::ios::binary) << message;
  }
  return 0;
}
