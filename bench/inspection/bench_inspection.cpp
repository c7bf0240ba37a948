/// Prints what inspecting a file costs, in microseconds and beside opening and closing the same
/// file. All are measured in turn, many times; the figures are medians.
///
///     build/release/bin/bench_inspection [ROUNDS]

#include <backplane/host/scan.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct FileTimes {
  std::string path;
  std::vector<double> inspection;          // format, entry points and ABI
  std::vector<double> dependencies;        // of the only file of a scan
  std::vector<double> later_dependencies;  // of a file behind others in a scan
  std::vector<double> opening;             // dlopen and dlclose
};

double ToMicroseconds(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

backplane::LoadReport Inspect(const std::vector<std::string>& files) {
  backplane::ScanOptions options;
  options.files = files;
  options.probe = backplane::ProbeMode::kInspect;
  return backplane::Scan(options);
}

double GetTime(const backplane::Candidate& candidate, bool is_of_dependencies) {
  double sum = 0;
  for (const backplane::StageRecord& record : candidate.stages) {
    if (record.stage < backplane::Stage::kFormat) continue;
    if ((record.stage == backplane::Stage::kDependencies) != is_of_dependencies) continue;
    sum += ToMicroseconds(record.duration);
  }
  return sum;
}

double Open(const std::string& path) {
  const Clock::time_point start = Clock::now();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr || dlclose(library) != 0) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return ToMicroseconds(Clock::now() - start);
}

void MeasureAlone(FileTimes& file) {
  file.opening.push_back(Open(file.path));
  const backplane::LoadReport report = Inspect({file.path});
  file.inspection.push_back(GetTime(report.candidates.front(), false));
  file.dependencies.push_back(GetTime(report.candidates.front(), true));
}

// In one scan, where what was learnt of the libraries of the system is kept.
void MeasureTogether(int round, std::vector<FileTimes>& files) {
  std::vector<std::string> paths;
  for (const FileTimes& file : files) paths.push_back(file.path);
  // The first one learns, and is another one in each round.
  const auto first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(round) % paths.size());
  std::rotate(paths.begin(), paths.begin() + first, paths.end());
  const backplane::LoadReport report = Inspect(paths);
  for (const backplane::Candidate& candidate : report.candidates) {
    if (candidate.path == paths.front()) continue;
    for (FileTimes& file : files) {
      if (file.path == candidate.path) file.later_dependencies.push_back(GetTime(candidate, true));
    }
  }
}

std::vector<FileTimes> FindFiles() {
  std::vector<FileTimes> files;
  for (const auto& entry : std::filesystem::directory_iterator(BENCH_INSPECTION_FOLDER)) {
    if (entry.path().extension() != ".so") continue;
    files.emplace_back();
    files.back().path = entry.path();
  }
  std::sort(files.begin(), files.end(), [](const FileTimes& a, const FileTimes& b) {
    return std::filesystem::file_size(a.path) < std::filesystem::file_size(b.path);
  });
  return files;
}

double GetMedian(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void Print(const FileTimes& file) {
  const double opening = GetMedian(file.opening);
  const double inspection = GetMedian(file.inspection);
  const std::string name = std::filesystem::path(file.path).filename();
  std::printf("%-28s%8.0f%12.1f%10.1f%8.2f%14.1f%14.1f\n", name.c_str(),
              static_cast<double>(std::filesystem::file_size(file.path)) / 1000, opening,
              inspection, inspection / opening, GetMedian(file.dependencies),
              GetMedian(file.later_dependencies));
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 201;
  std::vector<FileTimes> files = FindFiles();
  if (files.empty() || rounds < 1) return 1;
  for (int round = 0; round < rounds; ++round) {
    for (FileTimes& file : files) MeasureAlone(file);
    MeasureTogether(round, files);
  }
  std::printf("microseconds, medians of %d rounds\n", rounds);
  std::printf("%-28s%8s%12s%10s%8s%14s%14s\n", "file", "kB", "dlopen", "inspect", "ratio",
              "dependencies", "in a scan");
  for (const FileTimes& file : files) Print(file);
  std::printf(
      "inspect: format, entry points and ABI; ratio: to dlopen and dlclose\n"
      "dependencies: of a single file; in a scan: of a file behind others\n");
}
