// Usage: bench_decoding MODEL.onnx COUNT PAST THREADS BACKENDS [ROOM [MEMORY]]
//        bench_decoding MODEL.onnx COUNT PAST THREADS libonnxruntime.so.1 [ROOM]
// Runs a decoder step by step, as generating text does: PAST tokens of cache, all zeros, then COUNT
// tokens, one in each run. With ROOM, which has to be enough for all of them, the cache has so many
// rows from the first token on, as models of GroupQueryAttention may have it; 0 is none. Inputs are
// input_ids, attention_mask, position_ids and past_key_values.*; what a run gives as present.* is
// handed to the next one as it is. With MEMORY, a run gets memory for so many rows, in which its
// past lies, and gives its present there: with both, MEMORY is ROOM. Prints one line of JSON:
// load_ms, token_ms of each token, logits (the sum of the first hundred of the last token) and
// peak_mb; of Backplane also how many stages of plans were resized and foreseen, of those that are
// kept, and copied_mb of the cache. decoding.py runs it.

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
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace backplane;
using bench::RawTensor;
using Clock = std::chrono::steady_clock;
using Dims = std::map<std::string, std::vector<std::int64_t>>;

constexpr char kPast[] = "past_key_values";
constexpr char kPresent[] = "present";

double GetMilliseconds(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

bool BeginsWith(const std::string& text, const char* begin) {
  return text.rfind(begin, 0) == 0;
}

std::string NamePast(const std::string& present) {
  return kPast + present.substr(std::strlen(kPresent));
}

RawTensor MakeInts(const std::string& name, const std::vector<std::int64_t>& numbers) {
  const auto* const begin = reinterpret_cast<const char*>(numbers.data());
  return {name,
          "int64",
          {1, static_cast<std::int64_t>(numbers.size())},
          {begin, begin + numbers.size() * sizeof(numbers[0])}};
}

/// The inputs of a step but for the cache.
std::vector<RawTensor> MakeStep(const std::vector<onnx::ModelInput>& inputs, std::int64_t token,
                                std::int64_t past) {
  std::vector<RawTensor> step;
  for (const onnx::ModelInput& input : inputs) {
    if (input.name == "input_ids") step.push_back(MakeInts(input.name, {token}));
    if (input.name == "position_ids") step.push_back(MakeInts(input.name, {past}));
    if (input.name != "attention_mask") continue;
    const auto length = static_cast<std::size_t>(past + 1);
    step.push_back(MakeInts(input.name, std::vector<std::int64_t>(length, 1)));
  }
  return step;
}

/// The extents of a tensor of the cache.
std::vector<std::int64_t> GetDims(const onnx::ModelInput& input, std::int64_t past) {
  std::vector<std::int64_t> dims;
  for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
    const std::int64_t open = axis == 0 ? 1 : past;
    dims.push_back(input.dims[axis] < 0 ? open : input.dims[axis]);
  }
  return dims;
}

/// A cache of zeros.
std::vector<RawTensor> MakeCache(const std::vector<onnx::ModelInput>& inputs, std::int64_t past) {
  std::vector<RawTensor> cache;
  for (const onnx::ModelInput& input : inputs) {
    if (!BeginsWith(input.name, kPast)) continue;
    RawTensor tensor{input.name, GetDataTypeName(input.data_type), GetDims(input, past), {}};
    std::size_t size_bytes = GetDataTypeSizeBytes(input.data_type);
    for (const std::int64_t dim : tensor.dims) size_bytes *= static_cast<std::size_t>(dim);
    tensor.data.resize(size_bytes);
    cache.push_back(std::move(tensor));
  }
  return cache;
}

double AddUp(const float* logits) {
  double sum = 0.0;
  for (int i = 0; i < 100; ++i) sum += static_cast<double>(logits[i]);
  return sum;
}

/// Runs one step, and keeps its cache for the next.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Gives the sum of some logits.
  virtual double Run(const std::vector<RawTensor>& step) = 0;
  virtual std::string Describe() const { return ""; }
};

/// A runtime that opens no backend but those that are asked.
std::unique_ptr<IRuntime> CreateLazy() {
  CreationOptions options;
  options.opening = Opening::kLazy;
  return IRuntime::Create(options);
}

class OurDecoder final : public Decoder {
 public:
  /// `cache` has zeros, of the shapes `dims`; where these are smaller, it is the memory of them.
  OurDecoder(const std::string& path, int threads, const std::vector<std::string>& backends,
             std::vector<RawTensor> cache, bool is_in_place, const Dims& dims)
      : zeros_(std::move(cache)), is_in_place_(is_in_place) {
    OptimizerOptions options;
    for (const std::string& id : backends) {
      for (const OptionSchema& schema :
           GetOptionSchemas(runtime_->GetDeviceSpec().GetRegistry(), id)) {
        if (schema.name == "threads") options.model_options.push_back({id, {{"threads", threads}}});
      }
    }
    const auto network =
        Optimize(onnx::ImportModel(path).network, backends, runtime_->GetDeviceSpec(), options);
    id_ = runtime_->LoadNetwork(network);
    inputs_ = network->GetInputs();
    outputs_ = network->GetOutputs();
    for (const RawTensor& zeros : zeros_) tensors_[zeros.name] = zeros.data.data();
    for (const NetworkBinding& input : inputs_) infos_[input.name] = input.info;
    for (const RawTensor& zeros : zeros_) SetShape({zeros.name, "", dims.at(zeros.name), {}});
    for (RawTensor& zeros : zeros_) memory_[zeros.name] = &zeros;
  }

  double Run(const std::vector<RawTensor>& step) override {
    for (const RawTensor& input : step) {
      SetShape(input);
      tensors_[input.name] = input.data.data();
    }
    InputTensors inputs;
    for (const NetworkBinding& input : inputs_) {
      inputs.push_back({input.id, {infos_.at(input.name), tensors_.at(input.name)}});
      if (const RawTensor* const memory = FindMemory(input.name)) {
        inputs.back().memory_shape = GetMemoryShape(*memory);
      }
    }
    std::vector<ResultTensor> results(outputs_.size());
    OutputTensors outputs(outputs_.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].id = outputs_[i].id;
      outputs[i].result = &results[i];
      RawTensor* const memory =
          BeginsWith(outputs_[i].name, kPresent) ? FindMemory(NamePast(outputs_[i].name)) : nullptr;
      if (memory == nullptr) continue;
      outputs[i].data = memory->data.data();
      outputs[i].size_bytes = memory->data.size();
      outputs[i].memory_shape = GetMemoryShape(*memory);
    }
    std::optional<Diagnostic> failure;
    if (runtime_->EnqueueWorkload(id_, inputs, outputs, &failure) != Status::kSuccess) {
      throw DiagnosticException(*failure);
    }
    double logits = 0.0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs_[i].name == "logits") logits = AddUp(static_cast<float*>(results[i].data.get()));
      if (!BeginsWith(outputs_[i].name, kPresent)) continue;
      const std::string past = NamePast(outputs_[i].name);
      infos_[past] = results[i].info;
      if (!is_in_place_) tensors_[past] = results[i].data.get();
    }
    cache_ = std::move(results);
    return logits;
  }

  std::string Describe() const override {
    int num_resized = 0;
    int num_foreseen = 0;
    for (const PlanReport& plan : runtime_->GetPlanReports(id_)) {
      for (const StageReport& stage : plan.stages) {
        num_resized += stage.is_resized ? 1 : 0;
        num_foreseen += stage.is_foreseen ? 1 : 0;
      }
    }
    return ", \"resized\": " + std::to_string(num_resized) +
           ", \"foreseen\": " + std::to_string(num_foreseen) +
           ", \"copied_mb\": " + std::to_string(CountCopied() / 1e6);
  }

 private:
  static TensorShape MakeShape(const std::vector<std::int64_t>& dims) {
    TensorShape shape;
    for (const std::int64_t dim : dims) shape.Append(dim);
    return shape;
  }

  void SetShape(const RawTensor& tensor) { infos_.at(tensor.name).shape = MakeShape(tensor.dims); }

  /// Rank 0 when the tensor has all rows of its memory.
  TensorShape GetMemoryShape(const RawTensor& memory) const {
    const TensorShape shape = MakeShape(memory.dims);
    return shape == infos_.at(memory.name).shape ? TensorShape() : shape;
  }

  /// Null: the tensor lies in no memory of its own.
  RawTensor* FindMemory(const std::string& past) const {
    const auto memory = memory_.find(past);
    return is_in_place_ && memory != memory_.end() ? memory->second : nullptr;
  }

  /// The bytes of the cache that were copied, but for those that a backend copies.
  double CountCopied() const {
    std::uint64_t bytes = 0;
    const TransferReport report = runtime_->GetTransferReport(id_);
    for (const auto* bindings : {&report.inputs, &report.outputs}) {
      for (const BindingTransfers& one : *bindings) bytes += one.copied_bytes;
    }
    return static_cast<double>(bytes);
  }

  const std::unique_ptr<IRuntime> runtime_ = CreateLazy();
  std::vector<RawTensor> zeros_;
  const bool is_in_place_;
  NetworkId id_ = 0;
  std::vector<NetworkBinding> inputs_;
  std::vector<NetworkBinding> outputs_;
  std::map<std::string, TensorInfo> infos_;
  std::map<std::string, const void*> tensors_;
  std::map<std::string, RawTensor*> memory_;
  std::vector<ResultTensor> cache_;
};

class PeersDecoder final : public Decoder {
 public:
  PeersDecoder(const std::string& path, int threads, const std::string& library,
               std::vector<RawTensor> cache)
      : session_(library, path, threads, {}), cache_(std::move(cache)) {}

  double Run(const std::vector<RawTensor>& step) override {
    std::vector<RawTensor> given = step;
    for (RawTensor& tensor : cache_) given.push_back(std::move(tensor));
    cache_.clear();
    session_.SetInputs(std::move(given));
    for (auto& [name, value] : values_) session_.AddInput(name, value);
    bench::OnnxRuntimeSession::Outputs outputs = session_.MakeOutputs();
    session_.Run(outputs);
    double logits = 0.0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = session_.GetOutputName(i);
      if (name == "logits") logits = AddUp(static_cast<const float*>(session_.GetData(outputs[i])));
      if (BeginsWith(name, kPresent)) values_[NamePast(name)] = std::exchange(outputs[i], nullptr);
    }
    session_.Release(outputs);
    return logits;
  }

 private:
  bench::OnnxRuntimeSession session_;
  std::vector<RawTensor> cache_;         // of the first step
  std::map<std::string, void*> values_;  // of the others, which the session takes
};

/// The rows of the cache when it is given first, and of the memory in which it lies; 0: none.
struct Rows {
  std::int64_t given = 0;
  std::int64_t memory = 0;
};

std::unique_ptr<Decoder> Load(const std::string& path, const Rows& rows, int threads,
                              const std::string& side) {
  const std::vector<onnx::ModelInput> inputs = onnx::ReadModelInputs(path);
  const bool is_in_place = rows.memory > 0;
  std::vector<RawTensor> cache = MakeCache(inputs, is_in_place ? rows.memory : rows.given);
  if (side.find(".so") != std::string::npos) {
    return std::make_unique<PeersDecoder>(path, threads, side, std::move(cache));
  }
  Dims dims;
  for (const onnx::ModelInput& input : inputs) dims[input.name] = GetDims(input, rows.given);
  return std::make_unique<OurDecoder>(path, threads, bench::Split(side, ','), std::move(cache),
                                      is_in_place, dims);
}

/// A number that may be missing.
std::int64_t ReadRows(const char* word) {
  return word != nullptr ? std::stol(word) : 0;
}

void Measure(char** words) {
  const std::string path = words[1];
  const int count = std::stoi(words[2]);
  std::int64_t past = std::stol(words[3]);
  const std::vector<onnx::ModelInput> inputs = onnx::ReadModelInputs(path);
  const auto begin = Clock::now();
  const std::int64_t room = ReadRows(words[6]);
  const Rows rows{room > 0 ? room : past, words[6] != nullptr ? ReadRows(words[7]) : 0};
  const std::unique_ptr<Decoder> decoder = Load(path, rows, std::stoi(words[4]), words[5]);
  std::printf("{\"load_ms\": %.1f, \"token_ms\": [", GetMilliseconds(begin));
  double logits = 0.0;
  for (int token = 0; token < count; ++token, ++past) {
    const std::vector<RawTensor> step = MakeStep(inputs, 7 + token % 50, past);
    const auto before = Clock::now();
    logits = decoder->Run(step);
    std::printf("%s%.3f", token > 0 ? ", " : "", GetMilliseconds(before));
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("], \"logits\": %.5f, \"peak_mb\": %.1f%s}\n", logits,
              static_cast<double>(usage.ru_maxrss) / 1024, decoder->Describe().c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 6 || argc > 8) {
    std::fprintf(
        stderr,
        "usage: bench_decoding MODEL COUNT PAST THREADS BACKENDS|LIBRARY [ROOM [MEMORY]]\n");
    return 64;
  }
  Measure(argv);
} catch (const std::exception& exception) {
  std::fprintf(stderr, "%s\n", exception.what());
  return 1;
}
