// Usage: bench_model_server MODEL.onnx BACKENDS THREADS NAME=TYPE:DIMS:FILE...
// Loads a model once and then runs it as often as it is told on standard input, so that another
// program can take turns with it. BACKENDS are ids with commas between them, "" for all. THREADS is
// set as the option `threads` of each of them that has one. The data of each input is a file of raw
// elements; DIMS are written 1x3x224x224, and empty for a scalar. Inputs and outputs lie in memory
// of the runtime, so that backends in processes of their own (BACKPLANE_ISOLATE_BACKENDS) need no
// copy.
//
// Prints one line of JSON when it is ready: load_ms, peak_mb. Then, for each line "RUNS CLIENTS"
// that it reads: every client, a thread of its own, runs the model so many times; the answer has
// the microseconds of each run, and the seconds of all together.

#include <backplane/host/options.hpp>
#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>

namespace {

using namespace backplane;
using Clock = std::chrono::steady_clock;

struct GivenInput {
  std::string name;
  TensorShape shape;
  std::vector<char> data;
};

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

GivenInput ReadInput(const std::string& word) {
  const std::size_t equals = word.rfind('=');
  const std::size_t type = word.find(':', equals);
  const std::size_t file = word.find(':', type + 1);
  GivenInput input;
  input.name = word.substr(0, equals);
  for (const std::string& dim : Split(word.substr(type + 1, file - type - 1), 'x')) {
    input.shape.Append(std::stoll(dim));
  }
  std::ifstream stream(word.substr(file + 1), std::ios::binary);
  input.data.assign(std::istreambuf_iterator<char>(stream), {});
  return input;
}

double GetPeakMegabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

bool HasThreads(const BackendRegistry& registry, const std::string& backend) {
  const std::vector<OptionSchema> schemas = GetOptionSchemas(registry, backend);
  return std::any_of(schemas.begin(), schemas.end(),
                     [](const OptionSchema& schema) { return schema.name == "threads"; });
}

ModelOptions MakeOptions(const DeviceSpec& device, const std::vector<std::string>& backends,
                         int threads) {
  ModelOptions options;
  for (const std::string& id : backends.empty() ? device.GetBackendIdsByRank() : backends) {
    if (HasThreads(device.GetRegistry(), id)) options.push_back({id, {{"threads", threads}}});
  }
  return options;
}

/// A loaded model with the data of its inputs.
class Model {
 public:
  Model(const std::string& path, const std::vector<std::string>& backends, int threads,
        std::vector<GivenInput> inputs)
      : given_(std::move(inputs)), runtime_(IRuntime::Create({})) {
    onnx::ImportOptions import_options;
    for (const GivenInput& input : given_) import_options.input_shapes[input.name] = input.shape;
    const auto imported = onnx::ImportModel(path, import_options);
    OptimizerOptions options;
    options.model_options = MakeOptions(runtime_->GetDeviceSpec(), backends, threads);
    network_ = Optimize(*imported.network, backends, runtime_->GetDeviceSpec(), options);
    id_ = runtime_->LoadNetwork(network_);
    for (const auto& [position, name, info] : network_->GetInputs()) {
      const std::vector<char>& data = FindData(name, info);
      memory_.push_back(runtime_->AllocateTensorMemory(data.size()));
      std::copy(data.begin(), data.end(), static_cast<char*>(memory_.back().get()));
      inputs_.push_back({position, {info, memory_.back().get()}});
    }
  }

  /// The microseconds of each run.
  std::vector<double> Run(int num_runs) const {
    std::vector<std::shared_ptr<void>> memory;
    OutputTensors outputs;
    for (const auto& [position, name, info] : network_->GetOutputs()) {
      memory.push_back(runtime_->AllocateTensorMemory(info.GetSizeBytes()));
      outputs.push_back({position, memory.back().get(), info.GetSizeBytes()});
    }
    std::vector<double> times;
    for (int run = 0; run < num_runs; ++run) {
      const auto begin = Clock::now();
      std::optional<Diagnostic> failure;
      if (runtime_->EnqueueWorkload(id_, inputs_, outputs, &failure) != Status::kSuccess) {
        throw DiagnosticException(*failure);
      }
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    return times;
  }

 private:
  const std::vector<char>& FindData(const std::string& name, const TensorInfo& info) const {
    for (const GivenInput& input : given_) {
      if (input.name == name && input.data.size() == info.GetSizeBytes()) return input.data;
    }
    throw std::invalid_argument("no data of " + std::to_string(info.GetSizeBytes()) +
                                " bytes for input " + name);
  }

  std::vector<GivenInput> given_;
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  NetworkId id_ = 0;
  std::vector<std::shared_ptr<void>> memory_;
  InputTensors inputs_;
};

void Answer(const Model& model, int num_runs, int num_clients) {
  std::vector<std::vector<double>> times(static_cast<std::size_t>(num_clients));
  const auto begin = Clock::now();
  std::vector<std::thread> clients;
  for (std::size_t client = 1; client < times.size(); ++client) {
    clients.emplace_back([&, client] { times[client] = model.Run(num_runs); });
  }
  times[0] = model.Run(num_runs);
  for (std::thread& client : clients) client.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  std::printf("{\"seconds\": %.6f, \"us\": [", seconds);
  const char* separator = "";
  for (const auto& of_client : times) {
    for (const double time : of_client) {
      std::printf("%s%.2f", separator, time);
      separator = ", ";
    }
  }
  std::printf("]}\n");
  std::fflush(stdout);
}

void Serve(int argc, char** argv) {
  std::vector<GivenInput> inputs;
  for (int word = 4; word < argc; ++word) inputs.push_back(ReadInput(argv[word]));
  const auto begin = Clock::now();
  const Model model(argv[1], Split(argv[2], ','), std::stoi(argv[3]), std::move(inputs));
  const double load_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  static_cast<void>(model.Run(1));
  std::printf("{\"load_ms\": %.3f, \"peak_mb\": %.1f}\n", load_ms, GetPeakMegabytes());
  std::fflush(stdout);
  for (int runs = 0, clients = 0; std::cin >> runs >> clients;) Answer(model, runs, clients);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: bench_model_server MODEL BACKENDS THREADS NAME=TYPE:DIMS:FILE...\n");
    return 64;
  }
  try {
    Serve(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
