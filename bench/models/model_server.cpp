// Usage: bench_model_server MODEL.onnx BACKENDS THREADS CACHE NAME=TYPE:DIMS:FILE...
// Loads a model once and then runs it as often as it is told on standard input, so that another
// program can take turns with it. BACKENDS are ids with commas between them, "" for all. THREADS is
// set as the option `threads` of each of them that has one. CACHE is a directory for what backends
// compile, "" for none. The data of each input is a file of raw
// elements; DIMS are written 1x3x224x224, and empty for a scalar. Inputs and outputs lie in memory
// of the runtime, so that backends in processes of their own (BACKPLANE_ISOLATE_BACKENDS) need no
// copy.
//
// What it answers: serve.hpp.

#include "raw_tensor.hpp"
#include "serve.hpp"

#include <backplane/host/options.hpp>
#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/compiled_cache.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace {

using namespace backplane;
using Clock = std::chrono::steady_clock;

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

TensorShape GetShape(const bench::RawTensor& input) {
  TensorShape shape;
  for (const std::int64_t extent : input.dims) shape.Append(extent);
  return shape;
}

/// A loaded model with the data of its inputs.
class Model {
 public:
  Model(const std::string& path, const std::vector<std::string>& backends, int threads,
        const std::string& cache, std::vector<bench::RawTensor> inputs)
      : given_(std::move(inputs)), runtime_(IRuntime::Create({})) {
    onnx::ImportOptions import_options;
    for (const bench::RawTensor& input : given_)
      import_options.input_shapes[input.name] = GetShape(input);
    onnx::ImportedModel imported = onnx::ImportModel(path, import_options);
    OptimizerOptions options;
    options.model_options = MakeOptions(runtime_->GetDeviceSpec(), backends, threads);
    if (!cache.empty()) options.compiled_cache = MakeCompiledNetworkCache(cache);
    network_ = Optimize(std::move(imported.network), backends, runtime_->GetDeviceSpec(), options);
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
    const OutputTensors outputs = MakeOutputs(memory);
    std::vector<double> times;
    for (int run = 0; run < num_runs; ++run) {
      const auto begin = Clock::now();
      RunOnce(outputs);
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
    }
    return times;
  }

  std::vector<bench::RawTensor> GetOutputs() const {
    std::vector<std::shared_ptr<void>> memory;
    RunOnce(MakeOutputs(memory));
    std::vector<bench::RawTensor> results;
    for (const auto& [position, name, info] : network_->GetOutputs()) {
      const auto* data = static_cast<const char*>(memory[results.size()].get());
      results.push_back({name,
                         GetDataTypeName(info.data_type),
                         {info.shape.dims, info.shape.dims + info.shape.rank},
                         {data, data + info.GetSizeBytes()}});
    }
    return results;
  }

 private:
  OutputTensors MakeOutputs(std::vector<std::shared_ptr<void>>& memory) const {
    OutputTensors outputs;
    for (const auto& [position, name, info] : network_->GetOutputs()) {
      memory.push_back(runtime_->AllocateTensorMemory(info.GetSizeBytes()));
      outputs.push_back({position, memory.back().get(), info.GetSizeBytes()});
    }
    return outputs;
  }

  void RunOnce(const OutputTensors& outputs) const {
    std::optional<Diagnostic> failure;
    if (runtime_->EnqueueWorkload(id_, inputs_, outputs, &failure) != Status::kSuccess) {
      throw DiagnosticException(*failure);
    }
  }

  const std::vector<char>& FindData(const std::string& name, const TensorInfo& info) const {
    for (const bench::RawTensor& input : given_) {
      if (input.name == name && input.data.size() == info.GetSizeBytes()) return input.data;
    }
    throw std::invalid_argument("no data of " + std::to_string(info.GetSizeBytes()) +
                                " bytes for input " + name);
  }

  std::vector<bench::RawTensor> given_;
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  NetworkId id_ = 0;
  std::vector<std::shared_ptr<void>> memory_;
  InputTensors inputs_;
};

void RunServer(int argc, char** argv) {
  std::vector<bench::RawTensor> inputs;
  for (int word = 5; word < argc; ++word) inputs.push_back(bench::ReadInput(argv[word]));
  const auto begin = Clock::now();
  const Model model(argv[1], bench::Split(argv[2], ','), std::stoi(argv[3]), argv[4],
                    std::move(inputs));
  const double load_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  bench::Serve(
      load_ms, [&](int num_runs) { return model.Run(num_runs); },
      [&] { return model.GetOutputs(); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr,
                 "usage: bench_model_server MODEL BACKENDS THREADS CACHE NAME=TYPE:DIMS:FILE...\n");
    return 64;
  }
  try {
    RunServer(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
