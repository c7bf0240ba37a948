// Usage: bench_model_server MODEL.onnx BACKENDS THREADS CACHE SHAPES NAME=TYPE:DIMS:FILE...
// Loads a model once and then runs it as often as it is told on standard input, so that another
// program can take turns with it. BACKENDS are ids with commas between them, "" for all. THREADS is
// set as the option `threads` of each of them that has one. CACHE is a directory for what backends
// compile, "" for none. SHAPES is fixed where dimensions that the model leaves open are known when
// it is loaded, and open where each run brings them. The data of each input is a file of raw
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
#include <mutex>

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

/// Whether the dimensions that a model leaves open are known when it is loaded, or in each run.
enum class Shapes { kFixed, kOpen };

Shapes ReadShapes(const std::string& word) {
  if (word == "fixed") return Shapes::kFixed;
  if (word == "open") return Shapes::kOpen;
  throw std::invalid_argument("SHAPES is " + word + "; it is fixed or open");
}

/// A runtime that opens no backend but those that are asked.
std::unique_ptr<IRuntime> CreateLazy() {
  CreationOptions options;
  options.opening = Opening::kLazy;
  return IRuntime::Create(options);
}

/// A loaded model with the data of its inputs.
class Model {
 public:
  Model(const std::string& path, const std::vector<std::string>& backends, int threads,
        const std::string& cache, Shapes shapes, std::vector<bench::RawTensor> inputs)
      : given_(std::move(inputs)), runtime_(CreateLazy()) {
    onnx::ImportOptions import_options;
    for (const bench::RawTensor& input : given_) {
      if (shapes == Shapes::kFixed) import_options.input_shapes[input.name] = GetShape(input);
    }
    onnx::ImportedModel imported = onnx::ImportModel(path, import_options);
    OptimizerOptions options;
    options.model_options = MakeOptions(runtime_->GetDeviceSpec(), backends, threads);
    if (!cache.empty()) options.compiled_cache = MakeCompiledNetworkCache(cache);
    network_ = Optimize(std::move(imported.network), backends, runtime_->GetDeviceSpec(), options);
    id_ = runtime_->LoadNetwork(network_);
    for (const NetworkBinding& input : network_->GetInputs()) {
      const bench::RawTensor& given = FindInput(input.name);
      memory_.push_back(runtime_->AllocateTensorMemory(given.data.size()));
      std::copy(given.data.begin(), given.data.end(), static_cast<char*>(memory_.back().get()));
      TensorInfo info = input.info;
      info.shape = GetShape(given);
      inputs_.push_back({input.id, {info, memory_.back().get()}});
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
    for (const NetworkBinding& output : network_->GetOutputs()) {
      const TensorInfo& info = output_infos_[results.size()];
      const auto* data = static_cast<const char*>(memory[results.size()].get());
      results.push_back({output.name,
                         GetDataTypeName(info.data_type),
                         {info.shape.dims, info.shape.dims + info.shape.rank},
                         {data, data + info.GetSizeBytes()}});
    }
    return results;
  }

 private:
  OutputTensors MakeOutputs(std::vector<std::shared_ptr<void>>& memory) const {
    std::call_once(outputs_are_known_, [&] { output_infos_ = LearnOutputs(); });
    OutputTensors outputs;
    for (const NetworkBinding& output : network_->GetOutputs()) {
      const std::uint64_t size_bytes = output_infos_[outputs.size()].GetSizeBytes();
      memory.push_back(runtime_->AllocateTensorMemory(size_bytes));
      outputs.push_back({output.id, memory.back().get(), size_bytes});
    }
    return outputs;
  }

  /// What a run says of the outputs: shapes may depend on the inputs, which stay the same.
  std::vector<TensorInfo> LearnOutputs() const {
    std::vector<ResultTensor> results(network_->GetOutputs().size());
    OutputTensors outputs(results.size());
    for (std::size_t index = 0; index < results.size(); ++index) {
      outputs[index].id = network_->GetOutputs()[index].id;
      outputs[index].result = &results[index];
    }
    RunOnce(outputs);
    std::vector<TensorInfo> infos;
    for (const ResultTensor& result : results) infos.push_back(result.info);
    return infos;
  }

  void RunOnce(const OutputTensors& outputs) const {
    std::optional<Diagnostic> failure;
    if (runtime_->EnqueueWorkload(id_, inputs_, outputs, &failure) != Status::kSuccess) {
      throw DiagnosticException(*failure);
    }
  }

  const bench::RawTensor& FindInput(const std::string& name) const {
    for (const bench::RawTensor& input : given_) {
      if (input.name == name) return input;
    }
    throw std::invalid_argument("no data for input " + name);
  }

  std::vector<bench::RawTensor> given_;
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<const IOptimizedNetwork> network_;
  NetworkId id_ = 0;
  std::vector<std::shared_ptr<void>> memory_;
  InputTensors inputs_;
  mutable std::once_flag outputs_are_known_;
  mutable std::vector<TensorInfo> output_infos_;
};

void RunServer(int argc, char** argv) {
  std::vector<bench::RawTensor> inputs;
  for (int word = 6; word < argc; ++word) inputs.push_back(bench::ReadInput(argv[word]));
  const auto begin = Clock::now();
  const Model model(argv[1], bench::Split(argv[2], ','), std::stoi(argv[3]), argv[4],
                    ReadShapes(argv[5]), std::move(inputs));
  const double load_ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  bench::Serve(
      load_ms, [&](int num_runs) { return model.Run(num_runs); },
      [&] { return model.GetOutputs(); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr,
                 "usage: bench_model_server MODEL BACKENDS THREADS CACHE fixed|open "
                 "NAME=TYPE:DIMS:FILE...\n");
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
