/// write_seed_records FOLDER: one good record of each kind, for libFuzzer to begin with.

#include "read_record.hpp"

#include <filesystem>
#include <fstream>

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& record : backplane::fuzz::MakeGoodRecords()) {
    std::ofstream(folder / std::to_string(number++), std::ios::binary) << record;
  }
  return 0;
}
