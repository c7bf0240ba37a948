// Usage: bench_onnx_runtime_server LIBRARY MODEL.onnx THREADS NAME=TYPE:DIMS:FILE...
// What bench_model_server is, for ONNX Runtime's C library (libonnxruntime.so.1).

#include "onnx_runtime_c.hpp"
#include "raw_tensor.hpp"
#include "serve.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <utility>

namespace {

using namespace backplane::bench;
using Clock = std::chrono::steady_clock;

std::vector<double> RunSession(const OnnxRuntimeSession& session, int num_runs) {
  OnnxRuntimeSession::Outputs outputs = session.MakeOutputs();
  std::vector<double> times;
  for (int run = 0; run < num_runs; ++run) {
    const auto begin = Clock::now();
    session.Run(outputs);
    times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: bench_onnx_runtime_server LIBRARY MODEL THREADS NAME=TYPE:DIMS:FILE...\n");
    return 64;
  }
  try {
    std::vector<RawTensor> inputs;
    for (int word = 4; word < argc; ++word) inputs.push_back(ReadInput(argv[word]));
    const auto begin = Clock::now();
    const OnnxRuntimeSession session(argv[1], argv[2], std::stoi(argv[3]), std::move(inputs));
    const double load_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    Serve(
        load_ms, [&](int num_runs) { return RunSession(session, num_runs); },
        [&] { return session.GetOutputs(); });
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
