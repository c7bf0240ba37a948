/// write_seed_models FOLDER: the seeds of fuzz_import.

#include "seed_models.hpp"

#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_seed_models FOLDER\n";
    return 64;
  }
  for (const auto& seed : backplane::fuzz::MakeSeedModels()) {
    std::ofstream file(std::string(argv[1]) + "/" + seed.name + ".onnx", std::ios::binary);
    if (!seed.model.SerializeToOstream(&file)) return 1;
  }
  return 0;
}
