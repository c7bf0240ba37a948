// Usage: bench_shapes MODEL.onnx THREADS ROUNDS BACKENDS LENGTH...
//        bench_shapes MODEL.onnx THREADS ROUNDS libonnxruntime.so.1 LENGTH...
// Loads a model with open dimensions once, and runs it with inputs of several lengths: in the order
// given, ROUNDS times, then again and again with each of them alone. Of the open dimensions of an
// input the first is 1 and the others are the length. Prints one line of JSON: load_ms, peak_mb,
// and for each length varied_us, fixed_us, and late_us: how much later than its time each of some
// runs ended that might take a part of it only. shapes.py runs it.

#include "models/onnx_runtime_c.hpp"
#include "models/raw_tensor.hpp"

#include <backplane/host/options.hpp>
#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace backplane;
using bench::RawTensor;
using Clock = std::chrono::steady_clock;

double GetMicroseconds(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

RawTensor MakeInput(const onnx::ModelInput& input, std::int64_t length) {
  RawTensor tensor{input.name, GetDataTypeName(input.data_type), {}, {}};
  bool is_first = true;
  std::size_t count = 1;
  for (const std::int64_t dim : input.dims) {
    const std::int64_t extent = dim != kOpenExtent ? dim : is_first ? 1 : length;
    if (dim == kOpenExtent) is_first = false;
    tensor.dims.push_back(extent);
    count *= static_cast<std::size_t>(extent);
  }
  tensor.data.resize(count * GetDataTypeSizeBytes(input.data_type));
  for (std::size_t i = 0; input.data_type == DataType::kInt64 && i < count; ++i) {
    reinterpret_cast<std::int64_t*>(tensor.data.data())[i] = 1;
  }
  return tensor;
}

using Inputs = std::vector<RawTensor>;

/// Runs with inputs of a length, for at most so long; 0: as long as it takes.
using Run = std::function<void(const Inputs& inputs, std::chrono::nanoseconds most)>;

constexpr std::chrono::nanoseconds kNoTimeout{0};

Run LoadOurs(const std::string& path, int threads, const std::vector<std::string>& backends) {
  CreationOptions creation;
  creation.opening = Opening::kLazy;  // no backend that is not asked
  const std::shared_ptr<IRuntime> runtime = IRuntime::Create(creation);
  OptimizerOptions options;
  for (const std::string& id : backends) {
    for (const OptionSchema& schema :
         GetOptionSchemas(runtime->GetDeviceSpec().GetRegistry(), id)) {
      if (schema.name == "threads") options.model_options.push_back({id, {{"threads", threads}}});
    }
  }
  const auto network =
      Optimize(onnx::ImportModel(path).network, backends, runtime->GetDeviceSpec(), options);
  const NetworkId id = runtime->LoadNetwork(network);
  const std::vector<NetworkBinding> bindings = network->GetInputs();
  const std::size_t num_outputs = network->GetOutputs().size();
  return [=](const Inputs& inputs, std::chrono::nanoseconds most) {
    InputTensors given;
    for (const NetworkBinding& binding : bindings) {
      const RawTensor& input = inputs[binding.id];
      TensorInfo info = binding.info;
      info.shape = TensorShape();
      for (const std::int64_t dim : input.dims) info.shape.Append(dim);
      given.push_back({binding.id, {info, input.data.data()}});
    }
    std::vector<ResultTensor> results(num_outputs);
    OutputTensors outputs(num_outputs);
    for (std::size_t i = 0; i < num_outputs; ++i) {
      outputs[i].id = static_cast<LayerBindingId>(i);
      outputs[i].result = &results[i];
    }
    RunOptions bounds;
    if (most != kNoTimeout) bounds.timeout = most;
    std::optional<Diagnostic> failure;
    const Status status = runtime->EnqueueWorkload(id, given, outputs, bounds, &failure);
    if (status != Status::kSuccess && status != Status::kTimeout) {
      throw DiagnosticException(*failure);
    }
  };
}

Run LoadPeer(const std::string& path, int threads, const std::string& library) {
  const auto session =
      std::make_shared<bench::OnnxRuntimeSession>(library, path, threads, Inputs());
  return [session](const Inputs& inputs, std::chrono::nanoseconds /*most*/) {
    session->SetInputs(inputs);
    bench::OnnxRuntimeSession::Outputs outputs = session->MakeOutputs();
    session->Run(outputs);
    session->Release(outputs);
  };
}

struct Times {
  std::int64_t length = 0;
  Inputs inputs;
  std::vector<double> varied_us;
  std::vector<double> fixed_us;
  std::vector<double> late_us;
};

/// How much later than its time runs end that may take a part of it.
void MeasureLateness(const Run& run, Times& times) {
  constexpr int kParts = 40;
  const double whole_us = *std::min_element(times.fixed_us.begin(), times.fixed_us.end());
  for (int part = 1; part < kParts; ++part) {
    const double most_us = whole_us * part / kParts;
    const auto begin = Clock::now();
    run(times.inputs, std::chrono::nanoseconds(static_cast<std::int64_t>(most_us * 1000)));
    times.late_us.push_back(GetMicroseconds(begin) - most_us);
  }
}

void Print(const std::vector<double>& numbers) {
  std::printf("[");
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::printf("%s%.1f", i > 0 ? ", " : "", numbers[i]);
  }
  std::printf("]");
}

void Measure(const Run& run, int rounds, double load_ms, std::vector<Times>& all) {
  constexpr int kFixedRuns = 10;
  for (int round = 0; round < rounds; ++round) {
    for (Times& times : all) {
      const auto begin = Clock::now();
      run(times.inputs, kNoTimeout);
      times.varied_us.push_back(GetMicroseconds(begin));
    }
  }
  for (Times& times : all) {
    for (int i = 0; i < kFixedRuns; ++i) {
      const auto begin = Clock::now();
      run(times.inputs, kNoTimeout);
      times.fixed_us.push_back(GetMicroseconds(begin));
    }
    MeasureLateness(run, times);
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("{\"load_ms\": %.1f, \"peak_mb\": %.1f, \"lengths\": [", load_ms,
              static_cast<double>(usage.ru_maxrss) / 1024);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::printf("%s{\"length\": %lld, \"varied_us\": ", i > 0 ? ", " : "",
                static_cast<long long>(all[i].length));
    Print(all[i].varied_us);
    std::printf(", \"fixed_us\": ");
    Print(all[i].fixed_us);
    std::printf(", \"late_us\": ");
    Print(all[i].late_us);
    std::printf("}");
  }
  std::printf("]}\n");
}

void RunAll(char** argv, int argc) {
  const std::string path = argv[1];
  const std::string side = argv[4];
  const int threads = std::stoi(argv[2]);
  std::vector<Times> all;
  const std::vector<onnx::ModelInput> stated = onnx::ReadModelInputs(path);
  for (int word = 5; word < argc; ++word) {
    Times times;
    times.length = std::stoll(argv[word]);
    for (const onnx::ModelInput& input : stated) {
      times.inputs.push_back(MakeInput(input, times.length));
    }
    all.push_back(std::move(times));
  }
  const bool is_peer = side.find(".so") != std::string::npos;
  const auto begin = Clock::now();
  const Run run =
      is_peer ? LoadPeer(path, threads, side) : LoadOurs(path, threads, bench::Split(side, ','));
  Measure(run, std::stoi(argv[3]), GetMicroseconds(begin) / 1000, all);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: bench_shapes MODEL THREADS ROUNDS BACKENDS|LIBRARY LENGTH...\n");
    return 64;
  }
  try {
    RunAll(argv, argc);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
