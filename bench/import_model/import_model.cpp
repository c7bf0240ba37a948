// Usage: bench_import_model MODEL.onnx
// Imports the model once, with 1 for each dimension that it leaves open, and prints the time, and
// the greatest memory of the process, as it is and as a multiple of the size of the file.

#include <backplane/onnx/import_model.hpp>

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

namespace {

constexpr double kMega = 1e6;

double GetPeakMegabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  constexpr double kKibi = 1024;  // ru_maxrss is in KiB
  return static_cast<double>(usage.ru_maxrss) * kKibi / kMega;
}

backplane::onnx::ImportOptions CloseDimensions(const char* path) {
  backplane::onnx::ImportOptions options;
  for (const auto& input : backplane::onnx::ReadModelInputs(path)) {
    backplane::TensorShape& shape = options.input_shapes[input.name];
    for (const std::int64_t extent : input.dims) shape.Append(extent < 0 ? 1 : extent);
  }
  return options;
}

int Measure(const char* path) {
  const double before = GetPeakMegabytes();
  const backplane::onnx::ImportOptions options = CloseDimensions(path);
  const auto begin = std::chrono::steady_clock::now();
  const auto imported = backplane::onnx::ImportModel(path, options);
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - begin;
  const double peak = GetPeakMegabytes();
  const double file = static_cast<double>(std::filesystem::file_size(path)) / kMega;
  std::printf(
      "%zu layers imported in %.1f ms; file %.1f MB, peak %.1f MB (%.1f before), %.2f times\n",
      imported.network->GetNumOperators(), elapsed.count(), file, peak, before, peak / file);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_import_model MODEL.onnx\n");
    return 1;
  }
  try {
    return Measure(argv[1]);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 2;
  }
}
