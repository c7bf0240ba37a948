// run_a_network [BACKEND...] [sum=BACKEND]: builds a small network and runs it on the backends that
// are named, in order of preference, or on whatever there are; layer "sum" on one of its own.

#include <backplane/host/logging.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace backplane;

// The backends that are shipped with this program; without them, those installed with Backplane.
std::string FindShippedBackends() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "backends";
  return std::filesystem::is_directory(folder) ? folder.string() : "";
}

void PrintLoadReport(const LoadReport& report) {
  for (const Candidate& candidate : report.candidates) {
    std::cout << GetCandidateStatusName(candidate.status) << "  " << candidate.path << '\n';
    const Diagnostic* headline = GetHeadline(candidate);
    if (headline != nullptr) std::cout << "    " << ToText(*headline) << '\n';
  }
}

// y = relu(x * weights) + 1
std::unique_ptr<INetwork> BuildNetwork(const std::string& hint) {
  auto network = INetwork::Create("three layers");
  const TensorInfo row({1, 3}, DataType::kFloat32);
  const float weights[] = {1, 0, 0, 0, 2, 0, 0, 0, -1};
  const float ones[] = {1, 1, 1};
  const OutputSlot x = network->AddInputLayer(row, "x");
  const OutputSlot w = network->AddConstantLayer(
      {{3, 3}, DataType::kFloat32}, CopyConstantData(weights, sizeof weights), "weights");
  const OutputSlot one = network->AddConstantLayer(row, CopyConstantData(ones, sizeof ones), "one");
  const LayerId product = AddLayer<LayerType::kFullyConnected>(*network, {}, {x, w}, "product");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {{product, 0}}, "relu");
  const LayerId sum =
      AddLayer<LayerType::kElementwiseBinary>(*network, {}, {{relu, 0}, one}, "sum");
  network->AddOutputLayer({sum, 0}, "y");
  network->SetBackendHint(sum, hint);
  return network;
}

}  // namespace

int main(int argc, char** argv) try {
  std::vector<std::string> preferences(argv + 1, argv + argc);
  std::string hint;
  if (!preferences.empty() && preferences.back().rfind("sum=", 0) == 0) {
    hint = preferences.back().substr(4);
    preferences.pop_back();
  }
  EnableLogging("warning", {});
  CreationOptions options;
  options.dynamic_backends_path = FindShippedBackends();
  const auto runtime = IRuntime::Create(options);
  PrintLoadReport(runtime->GetLoadReport());
  const auto optimized = Optimize(*BuildNetwork(hint), preferences, runtime->GetDeviceSpec());
  std::cout << ToText(optimized->GetPlacement());

  const NetworkId id = runtime->LoadNetwork(optimized);
  const float x[] = {1, 1, 1};
  float y[3] = {};
  std::optional<Diagnostic> failure;
  const Status status = runtime->EnqueueWorkload(id, {{0, {{{1, 3}, DataType::kFloat32}, x}}},
                                                 {{0, y, sizeof y}}, &failure);
  if (status != Status::kSuccess) throw DiagnosticException(*failure);
  std::cout << "y = " << y[0] << ", " << y[1] << ", " << y[2] << '\n';
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
