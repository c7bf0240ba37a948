/// Holds a model with open dimensions, loaded once, against the same model loaded for each shape.
///   run_open_shapes MODEL.onnx COUNT SEED BACKEND[,BACKEND...] [LONGEST [BATCH]]
/// The shapes lie on lines, several from one point: one symbol of the model, or several together,
/// is given one value after the other, the others stay as they are. Caches, past*.X and present*.X,
/// are also run in larger memory, and held against the same. Prints a line: how many runs differ,
/// how many stages were resized and foreseen, and the bytes that were copied of the caches in
/// memory. Exit status: 1 when a result differs.

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace backplane::fuzz {
namespace {

using Symbols = std::map<std::string, std::int64_t>;
using Random = std::mt19937;

constexpr int kRunsOfALine = 10;
constexpr int kLinesFromAPoint = 3;

struct Settings {
  std::string model;
  int num_runs = 0;
  unsigned seed = 0;
  std::vector<std::string> backends;
  std::int64_t longest = 40;
  int most_entries = 3;  // of a batch
};

/// "a + b" are two; so is what exporters of decoders call their sum.
std::vector<std::string> SplitSum(const std::string& name) {
  if (name == "total_sequence_length") return {"past_sequence_length", "sequence_length"};
  std::vector<std::string> terms;
  std::size_t begin = 0;
  for (std::size_t plus; (plus = name.find(" + ", begin)) != std::string::npos; begin = plus + 3) {
    terms.push_back(name.substr(begin, plus - begin));
  }
  terms.push_back(name.substr(begin));
  return terms;
}

/// Whether a term of a sum is a number.
bool IsNumber(const std::string& term) {
  return term.find_first_not_of("0123456789") == std::string::npos;
}

std::string NameSymbol(const onnx::ModelInput& input, std::size_t axis) {
  const std::string& name = axis < input.dim_names.size() ? input.dim_names[axis] : "";
  return name.empty() ? input.name + ":" + std::to_string(axis) : name;
}

TensorShape MakeShape(const onnx::ModelInput& input, const Symbols& symbols) {
  TensorShape shape;
  for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
    std::int64_t extent = input.dims[axis];
    if (extent < 0) {
      extent = 0;
      for (const std::string& term : SplitSum(NameSymbol(input, axis))) extent += symbols.at(term);
    }
    shape.Append(extent);
  }
  return shape;
}

struct Tensor {
  TensorInfo info;
  std::vector<unsigned char> bytes;
};

/// Small indices, masks that keep all, and reals between -1 and 1.
Tensor MakeInput(const onnx::ModelInput& input, const TensorShape& shape, Random& random) {
  Tensor tensor;
  tensor.info = TensorInfo(shape, input.data_type);
  tensor.bytes.resize(tensor.info.GetSizeBytes());
  const bool is_mask = input.name.find("mask") != std::string::npos;
  for (std::int64_t i = 0; i < shape.GetNumElements(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const auto number = static_cast<std::int64_t>(random() % 2);
    if (input.data_type == DataType::kInt64) {
      reinterpret_cast<std::int64_t*>(tensor.bytes.data())[at] = is_mask ? 1 : number;
    } else if (input.data_type == DataType::kInt32) {
      reinterpret_cast<std::int32_t*>(tensor.bytes.data())[at] =
          is_mask ? 1 : static_cast<std::int32_t>(number);
    } else if (input.data_type == DataType::kFloat32) {
      reinterpret_cast<float*>(tensor.bytes.data())[at] =
          static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 1000.0F;
    } else {
      const bool is_set = is_mask || input.data_type != DataType::kBool || number == 1;
      tensor.bytes[at * GetDataTypeSizeBytes(input.data_type)] = is_set ? 1 : 0;
    }
  }
  return tensor;
}

/// The elements of a tensor at the beginning of memory of another shape, one run of bytes after the
/// other: calls `visit(place in the tensor, place in the memory, size)`.
template <typename Visit>
void VisitInMemory(const TensorInfo& info, const TensorShape& memory, const Visit& visit) {
  const std::size_t element = GetDataTypeSizeBytes(info.data_type);
  for (std::int64_t i = 0; i < info.shape.GetNumElements(); ++i) {
    std::int64_t rest = i;
    std::int64_t place = 0;
    std::int64_t step = 1;
    for (std::uint32_t axis = info.shape.rank; axis-- > 0;) {
      place += rest % info.shape[axis] * step;
      rest /= info.shape[axis];
      step *= memory[axis];
    }
    visit(static_cast<std::size_t>(i) * element, static_cast<std::size_t>(place) * element,
          element);
  }
}

/// A cache in larger memory.
struct CacheMemory {
  CacheMemory(const Tensor& tensor, const TensorShape& memory_shape)
      : shape(memory_shape), bytes(TensorInfo(shape, tensor.info.data_type).GetSizeBytes(), 0x5A) {
    VisitInMemory(tensor.info, shape, [&](std::size_t from, std::size_t to, std::size_t size) {
      std::memcpy(bytes.data() + to, tensor.bytes.data() + from, size);
    });
    before = bytes;
  }

  /// Makes the result dense. False: bytes beside it were written.
  bool Take(ResultTensor& result) {
    std::shared_ptr<unsigned char[]> dense(new unsigned char[result.info.GetSizeBytes() + 1]);
    VisitInMemory(result.info, shape, [&](std::size_t to, std::size_t from, std::size_t size) {
      std::memcpy(dense.get() + to, bytes.data() + from, size);
      std::memcpy(before.data() + from, bytes.data() + from, size);
    });
    result.data = std::shared_ptr<void>(dense, dense.get());
    return before == bytes;
  }

  TensorShape shape;
  std::vector<unsigned char> bytes;
  std::vector<unsigned char> before;
};

/// A network, and how it is run.
class LoadedModel {
 public:
  LoadedModel(IRuntime& runtime, const Settings& settings, const onnx::ImportOptions& options)
      : runtime_(runtime) {
    auto model = onnx::ImportModel(settings.model, options);
    const auto network =
        Optimize(std::move(model.network), settings.backends, runtime.GetDeviceSpec());
    inputs_ = network->GetInputs();
    outputs_ = network->GetOutputs();
    id_ = runtime.LoadNetwork(network);
  }
  ~LoadedModel() { runtime_.UnloadNetwork(id_); }
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  /// Errors: DiagnosticException.
  std::vector<ResultTensor> Run(const std::map<std::string, Tensor>& given) const {
    InputTensors inputs;
    for (const NetworkBinding& binding : inputs_) {
      const Tensor& tensor = given.at(binding.name);
      inputs.push_back({binding.id, {tensor.info, tensor.bytes.data()}});
    }
    std::vector<ResultTensor> results(outputs_.size());
    Enqueue(inputs, MakeOutputs(results));
    return results;
  }

  /// The same with caches in memory that has so many rows. Empty: there are no caches.
  /// Errors: DiagnosticException; std::runtime_error when memory beside a cache was written.
  std::vector<ResultTensor> RunInMemory(const std::map<std::string, Tensor>& given,
                                        std::int64_t rows) const {
    std::map<LayerBindingId, CacheMemory> memories;  // by outputs
    InputTensors inputs;
    for (const NetworkBinding& binding : inputs_) {
      const Tensor& tensor = given.at(binding.name);
      inputs.push_back({binding.id, {tensor.info, tensor.bytes.data()}});
      const auto output = FindPresent(binding);
      if (!output) continue;
      TensorShape shape = tensor.info.shape;
      shape[FindOpenAxis(binding)] = rows;
      CacheMemory& memory = memories.emplace(*output, CacheMemory(tensor, shape)).first->second;
      inputs.back().tensor.data = memory.bytes.data();
      inputs.back().memory_shape = shape;
    }
    if (memories.empty()) return {};
    std::vector<ResultTensor> results(outputs_.size());
    OutputTensors outputs = MakeOutputs(results);
    for (auto& [output, memory] : memories) {
      outputs[output].data = memory.bytes.data();
      outputs[output].size_bytes = memory.bytes.size();
      outputs[output].memory_shape = memory.shape;
    }
    Enqueue(inputs, outputs);
    for (auto& [output, memory] : memories) {
      if (!memory.Take(results[output])) throw std::runtime_error("memory beside it was written");
    }
    return results;
  }

  std::uint64_t CountCopiedBytes() const {
    const TransferReport report = runtime_.GetTransferReport(id_);
    std::uint64_t bytes = 0;
    for (const NetworkBinding& input : inputs_) {
      if (FindPresent(input)) bytes += report.inputs[input.id].copied_bytes;
    }
    return bytes;
  }

  const NetworkId& GetId() const { return id_; }

 private:
  OutputTensors MakeOutputs(std::vector<ResultTensor>& results) const {
    OutputTensors outputs(outputs_.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].id = outputs_[i].id;
      outputs[i].result = &results[i];
    }
    return outputs;
  }

  void Enqueue(const InputTensors& inputs, const OutputTensors& outputs) const {
    std::optional<Diagnostic> failure;
    if (runtime_.EnqueueWorkload(id_, inputs, outputs, &failure) != Status::kSuccess) {
      throw DiagnosticException(*failure);
    }
  }

  static std::uint32_t FindOpenAxis(const NetworkBinding& binding) {
    std::uint32_t axis = 1;
    while (axis < binding.info.shape.rank && binding.info.shape[axis] != kOpenExtent) ++axis;
    return axis;
  }

  /// The output that a cache becomes.
  std::optional<LayerBindingId> FindPresent(const NetworkBinding& input) const {
    if (input.name.rfind("past", 0) != 0 || FindOpenAxis(input) >= input.info.shape.rank) return {};
    const std::size_t dot = input.name.find('.');
    if (dot == std::string::npos) return {};
    for (const NetworkBinding& output : outputs_) {
      if (output.name == "present" + input.name.substr(dot)) return output.id;
    }
    return {};
  }

  IRuntime& runtime_;
  std::vector<NetworkBinding> inputs_;
  std::vector<NetworkBinding> outputs_;
  NetworkId id_ = 0;
};

/// How far two results lie apart, by the size of their numbers; infinity where they cannot be
/// compared.
double FindDistance(const ResultTensor& a, const ResultTensor& b) {
  if (a.info.shape != b.info.shape || a.info.data_type != b.info.data_type) return INFINITY;
  const std::size_t size_bytes = a.info.GetSizeBytes();
  if (size_bytes == 0 || std::memcmp(a.data.get(), b.data.get(), size_bytes) == 0) return 0.0;
  if (a.info.data_type != DataType::kFloat32) return INFINITY;
  const auto* x = static_cast<const float*>(a.data.get());
  const auto* y = static_cast<const float*>(b.data.get());
  double largest = 0.0;
  double distance = 0.0;
  for (std::size_t i = 0; i < size_bytes / sizeof(float); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(x[i])));
    distance = std::max(distance, std::fabs(static_cast<double>(x[i]) - static_cast<double>(y[i])));
  }
  return distance / std::max(largest, 1e-3);
}

std::string Describe(const Symbols& symbols) {
  std::string text;
  for (const auto& [name, extent] : symbols) text += " " + name + "=" + std::to_string(extent);
  return text;
}

class Comparison {
 public:
  Comparison(IRuntime& runtime, const Settings& settings)
      : runtime_(runtime),
        settings_(settings),
        random_(settings.seed),
        inputs_(onnx::ReadModelInputs(settings.model)),
        open_(runtime, settings, {}) {}

  /// Whether all are equal, or nearly so.
  bool Run() {
    Symbols begin;
    Symbols symbols;
    Symbols steps;
    for (int run = 0; run < settings_.num_runs; ++run) {
      if (run % (kRunsOfALine * kLinesFromAPoint) == 0) begin = DrawSymbols();
      if (run % kRunsOfALine == 0) {
        symbols = begin;
        steps = DrawSteps(symbols);
      }
      Compare(symbols);
      for (auto& [name, extent] : symbols) extent += steps[name];
    }
    int num_resized = 0;
    int num_foreseen = 0;
    for (const PlanReport& plan : runtime_.GetPlanReports(open_.GetId())) {
      for (const StageReport& stage : plan.stages) {
        num_resized += stage.is_resized ? 1 : 0;
        num_foreseen += stage.is_foreseen ? 1 : 0;
      }
    }
    std::printf(
        "%s: %d runs, %d refused, %d differ, %d not in each byte, by %.1e at most; "
        "%d resized, %d foreseen; %d in memory, %llu bytes copied\n",
        settings_.model.c_str(), settings_.num_runs, num_refused_, num_different_, num_near_,
        greatest_, num_resized, num_foreseen, num_in_memory_,
        static_cast<unsigned long long>(open_.CountCopiedBytes()));
    return num_different_ == 0;
  }

 private:
  Symbols DrawSymbols() {
    Symbols symbols;
    for (const onnx::ModelInput& input : inputs_) {
      for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
        if (input.dims[axis] >= 0) continue;
        for (const std::string& term : SplitSum(NameSymbol(input, axis))) {
          const bool is_batch = term.find("batch") != std::string::npos;
          const std::int64_t most =
              is_batch ? std::int64_t{settings_.most_entries} : settings_.longest / 2;
          symbols[term] =
              IsNumber(term)
                  ? std::stoll(term)
                  : 1 + static_cast<std::int64_t>(random_() % static_cast<unsigned>(most));
        }
      }
    }
    return symbols;
  }

  Symbols DrawSteps(const Symbols& symbols) {
    Symbols steps;
    const int most = std::max(1, static_cast<int>(settings_.longest / 2 / kRunsOfALine));
    for (const auto& symbol : symbols) {
      const bool is_batch = symbol.first.find("batch") != std::string::npos;
      const bool is_kept =
          IsNumber(symbol.first) || random_() % 2 == 0 || (is_batch && settings_.most_entries == 1);
      steps[symbol.first] = is_kept ? 0 : 1 + static_cast<int>(random_() % most);
    }
    return steps;
  }

  void Compare(const Symbols& symbols) {
    onnx::ImportOptions options;
    std::map<std::string, Tensor> given;
    for (const onnx::ModelInput& input : inputs_) {
      const TensorShape shape = MakeShape(input, symbols);
      options.input_shapes[input.name] = shape;
      given[input.name] = MakeInput(input, shape, random_);
    }
    std::string refused[2];
    std::vector<ResultTensor> results[2];
    try {
      results[0] = open_.Run(given);
    } catch (const DiagnosticException& exception) {
      refused[0] = ToText(exception.GetDiagnostic());
    }
    try {
      results[1] = LoadedModel(runtime_, settings_, options).Run(given);
    } catch (const DiagnosticException& exception) {
      refused[1] = ToText(exception.GetDiagnostic());
    }
    double distance = refused[0].empty() == refused[1].empty() ? 0.0 : INFINITY;
    if (refused[0].empty()) distance = std::max(distance, CompareInMemory(given, results[0]));
    if (!refused[0].empty() && num_refused_++ == 0) {
      std::printf("refused:%s\n%s", Describe(symbols).c_str(), refused[0].c_str());
    }
    for (std::size_t i = 0; i < std::min(results[0].size(), results[1].size()); ++i) {
      distance = std::max(distance, FindDistance(results[0][i], results[1][i]));
    }
    constexpr double kNear = 1e-3;
    if (distance != 0.0) ++num_near_;
    if (distance <= kNear) {
      greatest_ = std::max(greatest_, distance);
      return;
    }
    ++num_different_;
    std::printf("differs by %g:%s\n%s%s", distance, Describe(symbols).c_str(), refused[0].c_str(),
                refused[1].c_str());
  }

  /// How far results lie apart when caches lie in memory.
  double CompareInMemory(const std::map<std::string, Tensor>& given,
                         const std::vector<ResultTensor>& expected) {
    std::vector<ResultTensor> results;
    try {
      results = open_.RunInMemory(given, settings_.longest * 2);
    } catch (const std::exception& exception) {
      std::printf("in memory: %s\n", exception.what());
      return INFINITY;
    }
    double distance = 0.0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      distance = std::max(distance, FindDistance(results[i], expected[i]));
    }
    num_in_memory_ += results.empty() ? 0 : 1;
    return distance;
  }

  IRuntime& runtime_;
  const Settings& settings_;
  Random random_;
  const std::vector<onnx::ModelInput> inputs_;
  const LoadedModel open_;
  int num_refused_ = 0;
  int num_different_ = 0;
  int num_near_ = 0;
  int num_in_memory_ = 0;
  double greatest_ = 0.0;
};

int RunAll(const Settings& settings) {
  const std::unique_ptr<IRuntime> runtime = IRuntime::Create({});
  return Comparison(*runtime, settings).Run() ? 0 : 1;
}

}  // namespace
}  // namespace backplane::fuzz

int main(int argc, char** argv) try {
  if (argc < 5 || argc > 7) {
    std::fputs(
        "usage: run_open_shapes MODEL.onnx COUNT SEED BACKEND[,BACKEND...] "
        "[LONGEST [BATCH]]\n",
        stderr);
    return 64;
  }
  backplane::fuzz::Settings settings;
  settings.model = argv[1];
  settings.num_runs = std::stoi(argv[2]);
  settings.seed = static_cast<unsigned>(std::stoul(argv[3]));
  std::istringstream words(argv[4]);
  for (std::string id; std::getline(words, id, ',');) settings.backends.push_back(id);
  if (argc > 5) settings.longest = std::stol(argv[5]);
  if (argc > 6) settings.most_entries = std::stoi(argv[6]);
  return backplane::fuzz::RunAll(settings);
} catch (const std::exception& exception) {
  std::fprintf(stderr, "%s\n", exception.what());
  return 2;
}
