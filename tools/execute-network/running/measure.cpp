#include "running/session.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <utility>

namespace backplane::execute_network {
namespace {

using std::chrono::steady_clock;

/// Does the work once on each thread, given its number, and waits for all.
void RunOnThreads(std::uint32_t num_threads, const std::function<void(std::uint32_t)>& work) {
  if (num_threads == 1) return work(0);
  std::vector<std::future<void>> threads;
  for (std::uint32_t thread = 0; thread < num_threads; ++thread) {
    threads.push_back(std::async(std::launch::async, work, thread));
  }
  for (std::future<void>& thread : threads) thread.get();
}

}  // namespace

Measurement Measure(const Options& options, Session& session, const RunInputs& inputs,
                    Progress& progress) {
  Measurement measurement;
  const RunMemory input_memory = session.MakeInputs(inputs);
  std::vector<RunMemory> outputs;
  for (std::uint32_t thread = 0; thread < options.concurrency; ++thread) {
    outputs.push_back(session.MakeOutputs());
  }
  std::vector<std::vector<double>> times_ms(options.concurrency);
  RunOnThreads(options.concurrency, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < options.warmup; ++i) {
      session.Run(input_memory, outputs[thread]);
      progress.Step();
    }
  });
  const auto begin = steady_clock::now();
  RunOnThreads(options.concurrency, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < options.iterations; ++i) {
      times_ms[thread].push_back(session.Run(input_memory, outputs[thread]));
      progress.Step();
    }
  });
  measurement.times.concurrency = options.concurrency;
  measurement.times.elapsed_ms =
      std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
  measurement.outputs = std::move(outputs);
  std::vector<double>& all = measurement.times.times_ms;
  for (const std::vector<double>& times : times_ms) {
    all.insert(all.end(), times.begin(), times.end());
  }
  return measurement;
}

}  // namespace backplane::execute_network
