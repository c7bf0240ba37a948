#include "serve.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

namespace backplane::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// Of this program alone: what getrusage says counts that of the parent before execve, too.
double GetPeakMegabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024 / 1e6;
  }
  throw std::runtime_error("/proc/self/status has no VmHWM");
}

double GetProcessorSeconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void AnswerRun(const RunModel& run) {
  int num_runs = 0;
  int num_clients = 0;
  std::cin >> num_runs >> num_clients;
  std::vector<std::vector<double>> times(static_cast<std::size_t>(num_clients));
  const double processor_begin = GetProcessorSeconds();
  const auto begin = Clock::now();
  std::vector<std::thread> clients;
  clients.reserve(times.size());
  for (std::vector<double>& of_client : times) {
    clients.emplace_back([&] { of_client = run(num_runs); });
  }
  for (std::thread& client : clients) client.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("{\"seconds\": %.6f, \"processor_seconds\": %.6f, \"us\": [", seconds,
              GetProcessorSeconds() - processor_begin);
  const char* separator = "";
  for (const auto& of_client : times) {
    for (const double time : of_client) {
      std::printf("%s%.2f", separator, time);
      separator = ", ";
    }
  }
  std::printf("]}\n");
}

void AnswerWrite(const std::vector<RawTensor>& outputs) {
  std::string folder;
  std::getline(std::cin >> std::ws, folder);
  const char* separator = "";
  std::printf("{\"outputs\": [");
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    std::printf("%s%s", separator, WriteOutput(outputs[index], folder, index).c_str());
    separator = ", ";
  }
  std::printf("]}\n");
}

}  // namespace

void Serve(double load_ms, const RunModel& run, const GetOutputs& get_outputs) {
  static_cast<void>(run(1));
  const double peak_mb = GetPeakMegabytes();
  std::printf("{\"load_ms\": %.3f, \"peak_mb\": %.1f}\n", load_ms, peak_mb);
  std::fflush(stdout);
  for (std::string request; std::cin >> request;) {
    if (request == "run") {
      AnswerRun(run);
    } else if (request == "write") {
      AnswerWrite(get_outputs());
    } else {
      throw std::runtime_error("neither run nor write: " + request);
    }
    std::fflush(stdout);
  }
}

}  // namespace backplane::bench
