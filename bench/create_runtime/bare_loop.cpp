// The floor: what opening the files costs when nothing is checked. Prints microseconds.

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_bare_loop DIRECTORY\n");
    return 64;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  int usable = 0;
  for (const std::string& path : paths) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    const auto get_id = reinterpret_cast<const char* (*)()>(dlsym(library, "GetBackendId"));
    const auto get_version =
        reinterpret_cast<void (*)(std::uint32_t*, std::uint32_t*)>(dlsym(library, "GetVersion"));
    if (get_id == nullptr || get_version == nullptr || !dlsym(library, "BackendFactory")) continue;
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    get_version(&major, &minor);
    if (get_id() != nullptr) ++usable;
  }
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  std::printf("us %.0f usable %d\n", took.count(), usable);
}
