// How long hostile networks take at 1x, 2x and 4x their size to be built, optimised, loaded,
// reported and unloaded, with how much memory, and the exponent of that: 1 for linear, 2 for
// quadratic. Each in a process of its own, on a stack of 256 KiB, so that what calls itself along a
// graph dies at once. Arguments: a part of the names of attacks to run, and the backend (CpuRef).

#include "hostile_networks.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/placement.hpp>

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

using namespace backplane;

constexpr std::array<const char*, 5> kPhases = {"build", "optimise", "load", "report", "unload"};
constexpr int kRepeats = 2;
const char* preferred = "CpuRef";

struct Times {
  std::array<double, kPhases.size()> ms{};

  double GetSum() const {
    double sum = 0;
    for (const double one : ms) sum += one;
    return sum;
  }
};

struct Result {
  bool is_done = false;
  Times times;
  double peak_mib = 0;
};

double GetProcessorMilliseconds() {
  return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

/// Of the processor; the least of several of each phase.
Times Measure(const hostile::Attack& attack, std::uint32_t layers) {
  CreationOptions options;
  options.dynamic_backends_path = BACKPLANE_BACKENDS_FOLDER;
  const auto runtime = IRuntime::Create(options);
  Times least;
  least.ms.fill(1e12);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::size_t phase = 0;
    double begin = GetProcessorMilliseconds();
    const auto end_phase = [&] {
      const double now = GetProcessorMilliseconds();
      least.ms[phase] = std::min(least.ms[phase], now - begin);
      ++phase;
      begin = now;
    };
    auto network = attack.make(layers);
    end_phase();
    auto optimized = Optimize(*network, {preferred, "CpuRef"}, runtime->GetDeviceSpec());
    end_phase();
    const NetworkId id = runtime->LoadNetwork(optimized);
    end_phase();
    const Placement& placement = optimized->GetPlacement();
    const std::size_t written = ToText(placement).size() + ToJson(placement).size() +
                                SubgraphsToJson(placement).size() + ToDot(placement).size() +
                                TransfersToText(placement).size() +
                                TransfersToJson(placement).size();
    end_phase();
    runtime->UnloadNetwork(id);
    optimized.reset();
    network.reset();
    end_phase();
    if (written == 0) std::abort();
  }
  return least;
}

struct Work {
  const hostile::Attack* attack;
  std::uint32_t layers;
  int pipe;
};

void* RunWork(void* argument) {
  const Work& work = *static_cast<const Work*>(argument);
  const Times times = Measure(*work.attack, work.layers);
  if (write(work.pipe, &times, sizeof(times)) != sizeof(times)) std::abort();
  return nullptr;
}

[[noreturn]] void RunOnSmallStack(const hostile::Attack& attack, std::uint32_t layers, int pipe) {
  constexpr std::size_t kStackBytes = 256 * 1024;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  Work work{&attack, layers, pipe};
  pthread_t thread{};
  const bool is_made = pthread_create(&thread, &attributes, RunWork, &work) == 0;
  if (is_made) pthread_join(thread, nullptr);
  _exit(is_made ? 0 : 1);
}

Result RunApart(const hostile::Attack& attack, std::uint32_t layers) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) RunOnSmallStack(attack, layers, ends[1]);
  close(ends[1]);
  Result result;
  result.is_done = read(ends[0], &result.times, sizeof(result.times)) == sizeof(result.times);
  close(ends[0]);
  int status = 0;
  struct rusage usage {};
  wait4(child, &status, 0, &usage);
  result.is_done = result.is_done && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  result.peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

double FindExponent(double small, double large) {
  return std::log(large / std::max(small, 1e-3)) / std::log(4.0);
}

/// False when it died.
bool RunAttack(const hostile::Attack& attack) {
  std::array<Result, 3> results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::uint32_t layers = attack.layers << i;
    results[i] = RunApart(attack, layers);
    if (!results[i].is_done) {
      std::printf("%-40s %7u layers: died\n", attack.name, layers);
      return false;
    }
    std::printf("%-40s %7u", attack.name, layers);
    for (const double ms : results[i].times.ms) std::printf(" %9.1f", ms);
    std::printf(" %9.1f %9.0f", results[i].times.GetSum(), results[i].peak_mib);
    if (i + 1 < results.size()) {
      std::printf("\n");
    } else {
      std::printf("   %.2f %.2f\n",
                  FindExponent(results.front().times.GetSum(), results.back().times.GetSum()),
                  FindExponent(results.front().peak_mib, results.back().peak_mib));
    }
    std::fflush(stdout);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("%-40s %7s", "network", "layers");
  for (const char* phase : kPhases) std::printf(" %9s", phase);
  std::printf(" %9s %9s   exponents\n", "sum, ms", "peak, MiB");
  if (argc > 2) preferred = argv[2];
  bool is_good = true;
  for (const hostile::Attack& attack : hostile::GetAttacks()) {
    if (argc > 1 && std::strstr(attack.name, argv[1]) == nullptr) continue;
    is_good = RunAttack(attack) && is_good;
  }
  return is_good ? 0 : 1;
}
