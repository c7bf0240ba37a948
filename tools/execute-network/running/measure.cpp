#include "running/measure.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>

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

Tensors PrepareOutputs(const Session& session) {
  Tensors tensors;
  for (const NetworkBinding& output : session.GetOutputs()) {
    tensors.push_back(
        {output.name, output.info, std::vector<unsigned char>(output.info.GetSizeBytes())});
  }
  return tensors;
}

Measurement Measure(const Options& options, Session& session, const Tensors& inputs,
                    Progress& progress) {
  Measurement measurement;
  measurement.outputs.resize(options.concurrency);
  std::vector<std::vector<double>> times_ms(options.concurrency);
  RunOnThreads(options.concurrency, [&](std::uint32_t thread) {
    measurement.outputs[thread] = PrepareOutputs(session);
    for (std::uint32_t i = 0; i < options.warmup; ++i) {
      session.Run(inputs, measurement.outputs[thread]);
      progress.Step();
    }
  });
  const auto begin = steady_clock::now();
  RunOnThreads(options.concurrency, [&](std::uint32_t thread) {
    for (std::uint32_t i = 0; i < options.iterations; ++i) {
      times_ms[thread].push_back(session.Run(inputs, measurement.outputs[thread]));
      progress.Step();
    }
  });
  measurement.times.concurrency = options.concurrency;
  measurement.times.elapsed_ms =
      std::chrono::duration<double, std::milli>(steady_clock::now() - begin).count();
  std::vector<double>& all = measurement.times.times_ms;
  for (const std::vector<double>& times : times_ms) {
    all.insert(all.end(), times.begin(), times.end());
  }
  return measurement;
}

}  // namespace backplane::execute_network
