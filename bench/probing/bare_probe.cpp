// The floor: each file opened in a process of its own, as many at once as there are processors, and
// nothing checked or said. Prints microseconds and how many could be opened.

#include <dlfcn.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr char kOne[] = "--one";

int OpenOne(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return library != nullptr && dlsym(library, "BackendFactory") != nullptr ? 0 : 1;
}

bool Start(char* program, std::string path) {
  char one[] = "--one";
  char* arguments[] = {program, one, path.data(), nullptr};
  pid_t process = 0;
  return posix_spawn(&process, program, nullptr, nullptr, arguments, environ) == 0;
}

int WaitForOne() {
  int status = 0;
  return wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], kOne) == 0) return OpenOne(argv[2]);
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench_bare_probe DIRECTORY\n");
    return 64;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const unsigned num_processors = std::thread::hardware_concurrency();
  unsigned num_running = 0;
  int usable = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    if (num_running == num_processors) {
      usable += WaitForOne();
      --num_running;
    }
    if (Start(argv[0], entry.path())) ++num_running;
  }
  for (; num_running > 0; --num_running) usable += WaitForOne();
  const std::chrono::duration<double, std::micro> took = Clock::now() - start;
  std::printf("us %.0f usable %d\n", took.count(), usable);
}
