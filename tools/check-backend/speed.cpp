#include "speed.hpp"

#include "harness/network.hpp"
#include "running/run_rule.hpp"

#include <backplane/api/descriptors.hpp>
#include <backplane/host/diagnostic.hpp>

#if BACKPLANE_HAS_ONNX
#include <backplane/onnx/import_model.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace backplane::check_backend {
namespace {

constexpr char kTimes[] = "time";
constexpr char kReasons[] = "reason";
constexpr char kReference[] = "CpuRef";

TensorInfo Float(const TensorShape& shape) {
  return {shape, DataType::kFloat32};
}

OutputSlot AddFilled(INetwork& network, const TensorShape& shape) {
  const std::vector<float> elements(static_cast<std::size_t>(shape.GetNumElements()), 0.01F);
  return network.AddConstantLayer(
      Float(shape), CopyConstantData(elements.data(), elements.size() * sizeof(float)), "constant");
}

/// One layer of each class of operators, of a size as in networks that people run.
struct SpeedCase {
  const char* name;
  TensorShape input;
  std::function<OutputSlot(INetwork&, OutputSlot)> add;
};

OutputSlot AddConvolution(INetwork& network, OutputSlot input, std::int64_t kernel,
                          std::uint32_t groups) {
  ConvolutionDescriptor descriptor;
  std::fill_n(descriptor.pads_begin, 2, static_cast<std::uint32_t>(kernel / 2));
  std::fill_n(descriptor.pads_end, 2, static_cast<std::uint32_t>(kernel / 2));
  descriptor.groups = groups;
  const OutputSlot weights = AddFilled(network, {64, 64 / groups, kernel, kernel});
  return {AddLayer<LayerType::kConvolution>(network, descriptor, {input, weights}, "layer"), 0};
}

OutputSlot AddProduct(INetwork& network, OutputSlot input) {
  const OutputSlot weights = AddFilled(network, {1024, 1024});
  return {AddLayer<LayerType::kFullyConnected>(network, {}, {input, weights}, "layer"), 0};
}

OutputSlot AddPooling(INetwork& network, OutputSlot input) {
  PoolingDescriptor descriptor;
  std::fill_n(descriptor.kernel, 2, 2U);
  std::fill_n(descriptor.strides, 2, 2U);
  return {AddLayer<LayerType::kPooling>(network, descriptor, {input}, "layer"), 0};
}

OutputSlot AddActivation(INetwork& network, OutputSlot input) {
  ActivationDescriptor descriptor;
  descriptor.function = ActivationFunction::kTanH;
  return {AddLayer<LayerType::kActivation>(network, descriptor, {input}, "layer"), 0};
}

OutputSlot AddSum(INetwork& network, OutputSlot input) {
  return {AddLayer<LayerType::kElementwiseBinary>(network, {}, {input, input}, "layer"), 0};
}

OutputSlot AddSoftmax(INetwork& network, OutputSlot input) {
  SoftmaxDescriptor descriptor;
  descriptor.axis = 1;
  return {AddLayer<LayerType::kSoftmax>(network, descriptor, {input}, "layer"), 0};
}

OutputSlot AddTranspose(INetwork& network, OutputSlot input) {
  TransposeDescriptor descriptor;
  std::swap(descriptor.permutation[1], descriptor.permutation[3]);
  return {AddLayer<LayerType::kTranspose>(network, descriptor, {input}, "layer"), 0};
}

OutputSlot AddReduction(INetwork& network, OutputSlot input) {
  ReduceDescriptor descriptor;
  descriptor.operation = ReduceOperation::kMean;
  descriptor.num_axes = 2;
  descriptor.axes[0] = 2;
  descriptor.axes[1] = 3;
  return {AddLayer<LayerType::kReduce>(network, descriptor, {input}, "layer"), 0};
}

std::vector<SpeedCase> ListCases() {
  const TensorShape image = {1, 64, 56, 56};
  return {
      {"convolution 3x3, 64 channels", image,
       [](INetwork& n, OutputSlot x) { return AddConvolution(n, x, 3, 1); }},
      {"convolution 1x1, 64 channels", image,
       [](INetwork& n, OutputSlot x) { return AddConvolution(n, x, 1, 1); }},
      {"depthwise convolution 3x3", image,
       [](INetwork& n, OutputSlot x) { return AddConvolution(n, x, 3, 64); }},
      {"product with [1024, 1024]", {8, 1024}, &AddProduct},
      {"max pooling 2x2", image, &AddPooling},
      {"activation TanH", image, &AddActivation},
      {"sum of two tensors", image, &AddSum},
      {"softmax over 1000", {64, 1000}, &AddSoftmax},
      {"transposition", image, &AddTranspose},
      {"mean over an image", image, &AddReduction},
  };
}

std::unique_ptr<INetwork> Build(const SpeedCase& one) {
  auto network = INetwork::Create(one.name);
  const OutputSlot input = network->AddInputLayer(Float(one.input), "x");
  network->AddOutputLayer(one.add(*network, input), "y");
  return network;
}

/// Memory for all inputs and outputs of a network, filled with small numbers of its types.
class RunMemory {
 public:
  RunMemory(IRuntime& runtime, const IOptimizedNetwork& network) {
    for (const NetworkBinding& input : network.GetInputs()) {
      inputs_.push_back({input.id, {input.info, Allocate(runtime, input.info)}});
    }
    for (const NetworkBinding& output : network.GetOutputs()) {
      outputs_.push_back({output.id, Allocate(runtime, output.info), output.info.GetSizeBytes()});
    }
  }

  void Run(IRuntime& runtime, NetworkId network) const {
    std::optional<Diagnostic> failure;
    if (runtime.EnqueueWorkload(network, inputs_, outputs_, &failure) == Status::kSuccess) return;
    throw DiagnosticException(failure.value());
  }

 private:
  void* Allocate(IRuntime& runtime, const TensorInfo& info) {
    const std::uint64_t size = info.GetSizeBytes();
    memory_.push_back(runtime.AllocateTensorMemory(std::max<std::uint64_t>(size, 1)));
    if (info.data_type != DataType::kFloat32) return memory_.back().get();  // zeros
    std::fill_n(static_cast<float*>(memory_.back().get()), size / sizeof(float), 0.5F);
    return memory_.back().get();
  }

  std::vector<std::shared_ptr<void>> memory_;
  InputTensors inputs_;
  OutputTensors outputs_;
};

/// The shortest of several runs.
std::chrono::nanoseconds TimeRuns(IRuntime& runtime, const INetwork& network,
                                  const std::string& id) {
  using Clock = std::chrono::steady_clock;
  const auto optimized = Optimize(network, {id}, runtime.GetDeviceSpec());
  const NetworkId loaded = runtime.LoadNetwork(optimized);
  const RunMemory memory(runtime, *optimized);
  memory.Run(runtime, loaded);
  auto shortest = std::chrono::nanoseconds::max();
  const auto end = Clock::now() + std::chrono::milliseconds(200);
  for (int i = 0; i < 3 || (i < 1000 && Clock::now() < end); ++i) {
    const auto begin = Clock::now();
    memory.Run(runtime, loaded);
    shortest = std::min<std::chrono::nanoseconds>(shortest, Clock::now() - begin);
  }
  runtime.UnloadNetwork(loaded);
  return shortest;
}

/// Notes how long a network takes, or why it does not run.
void Measure(Session& session, IRuntime& runtime, const std::string& name, const INetwork& network,
             const std::string& id) {
  session.ShowLife();
  const std::string what = name + '\t' + id + '\t';
  try {
    session.Note(kTimes, what + std::to_string(TimeRuns(runtime, network, id).count()));
  } catch (const DiagnosticException& exception) {
    session.Note(kReasons, what + exception.GetDiagnostic().what);
  }
}

#if BACKPLANE_HAS_ONNX
std::unique_ptr<INetwork> Import(const std::string& path) {
  return onnx::ImportModel(path).network;
}
#endif

void MeasureAll(Session& session) {
  const std::string id = session.GetPlugin().GetId();
  const TestRuntime runtime(session, id);
  std::vector<std::string> ids = {id};
  if (session.GetSettings().measures_reference && runtime.HasReference())
    ids.emplace_back(kReference);
  const auto measure = [&](const std::string& name, const INetwork& network) {
    for (const std::string& one : ids) Measure(session, runtime.Get(), name, network, one);
  };
  for (const SpeedCase& one : ListCases()) {
    if (session.Begin(one.name)) measure(one.name, *Build(one));
  }
#if BACKPLANE_HAS_ONNX
  for (const std::string& model : session.GetSettings().models) {
    // Many are called model.onnx, in folders of their names.
    const std::filesystem::path path(model);
    const std::string name = (path.parent_path().filename() / path.filename()).string();
    if (session.Begin(name)) measure(name, *Import(model));
  }
#endif
}

const Rule kMeasurement = {
    0, "Measurement", RuleFamily::kSubgraphs, RuleKind::kShould, "measures", "", "", &MeasureAll};

/// By network and then by backend, each in the order in which it was measured.
struct SpeedTable {
  std::vector<std::string> networks;
  std::vector<std::string> backends;
  std::map<std::pair<std::string, std::string>, double> microseconds;
  std::vector<std::string> reasons;
};

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void AddOnce(std::vector<std::string>& names, const std::string& name) {
  if (!Contains(names, name)) names.push_back(name);
}

/// A backend with the id of an earlier one, as variants of one backend are, is called by its file.
void Collect(const std::string& file, const RuleResult& result, SpeedTable& table) {
  const std::vector<std::string> taken = table.backends;
  for (const auto& [list, entry] : result.notes) {
    const std::size_t first = entry.find('\t');
    const std::size_t second = entry.find('\t', first + 1);
    if (second == std::string::npos) continue;
    const std::string network = entry.substr(0, first);
    const std::string id = entry.substr(first + 1, second - first - 1);
    const std::string& backend = Contains(taken, id) ? file : id;
    const std::string value = entry.substr(second + 1);
    AddOnce(table.networks, network);
    AddOnce(table.backends, backend);
    if (list == kTimes) {
      table.microseconds[{network, backend}] = std::stod(value) / 1000;
    } else {
      table.reasons.push_back(backend + " does not run " + network + ": " + value);
    }
  }
  for (const Finding& finding : result.findings) {
    table.reasons.push_back(finding.done + ": " + finding.seen);
  }
}

std::string Pad(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string ShowTime(const SpeedTable& table, const std::string& network,
                     const std::string& backend) {
  const auto found = table.microseconds.find({network, backend});
  if (found == table.microseconds.end()) return "-";
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f us", found->second);
  return text;
}

/// How many times as fast as another the first backend is.
std::string ShowRatio(const SpeedTable& table, const std::string& network,
                      const std::string& other) {
  const auto own = table.microseconds.find({network, table.backends[0]});
  const auto found = table.microseconds.find({network, other});
  const auto end = table.microseconds.end();
  if (own == end || found == end || own->second <= 0) return "";
  char text[32];
  std::snprintf(text, sizeof(text), " (%.2fx)", found->second / own->second);
  return text;
}

std::vector<std::string> Show(const SpeedTable& table) {
  constexpr std::size_t kNameColumns = 36;
  const auto get_columns = [](const std::string& backend) {
    return std::max<std::size_t>(24, backend.size() + 2);
  };
  std::vector<std::string> lines;
  if (table.backends.empty()) return table.reasons;
  std::string head = Pad("  speed (x: of " + table.backends[0] + ")", kNameColumns);
  for (const std::string& backend : table.backends) {
    head += Pad(backend, get_columns(backend));
  }
  lines.push_back(head);
  for (const std::string& network : table.networks) {
    std::string line = Pad("    " + network, kNameColumns);
    for (const std::string& backend : table.backends) {
      std::string cell = ShowTime(table, network, backend);
      if (backend != table.backends[0]) cell += ShowRatio(table, network, backend);
      line += Pad(cell, get_columns(backend));
    }
    lines.push_back(line);
  }
  for (const std::string& reason : table.reasons) lines.push_back("    " + reason);
  return lines;
}

}  // namespace

std::vector<std::string> MeasureSpeed(const Options& options) {
  SpeedTable table;
  RunSettings settings;
  settings.timeout = std::chrono::seconds(options.timeout_seconds);
  settings.session.seed = options.seed;
  settings.session.models = options.models;
  std::vector<std::string> files = {options.file};
  files.insert(files.end(), options.rivals.begin(), options.rivals.end());
  for (const std::string& file : files) {
    settings.session.path = file;
    settings.session.measures_reference = file == options.file;
    Collect(file, RunRule(kMeasurement, settings), table);
  }
  return Show(table);
}

}  // namespace backplane::check_backend
