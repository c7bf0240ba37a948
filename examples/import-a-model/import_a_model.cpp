// import_a_model MODEL.onnx: runs a model on zeros, on whatever backends there are, and prints the
// five largest numbers of each output of floats.

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <vector>

using namespace backplane;

// Dimensions that the model leaves open are 1 here.
static onnx::ImportOptions CloseDimensions(const std::string& path) {
  onnx::ImportOptions options;
  for (const onnx::ModelInput& input : onnx::ReadModelInputs(path)) {
    TensorShape& shape = options.input_shapes[input.name];
    for (const std::int64_t dim : input.dims) shape.Append(dim < 0 ? 1 : dim);
  }
  return options;
}

static void PrintLargest(const NetworkBinding& output, const void* data) {
  if (output.info.data_type != DataType::kFloat32) return;
  const auto* values = static_cast<const float*>(data);
  const auto rank = [&](auto i) { return std::isnan(values[i]) ? -INFINITY : values[i]; };
  std::vector<std::int64_t> order(output.info.shape.GetNumElements());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) > rank(b); });
  order.resize(std::min<std::size_t>(order.size(), 5));
  for (const auto i : order) std::cout << output.name << '[' << i << "] = " << values[i] << '\n';
}

int main(int argc, char** argv) try {
  if (argc != 2) throw std::invalid_argument("usage: import_a_model MODEL.onnx");
  auto imported = onnx::ImportModel(argv[1], CloseDimensions(argv[1]));
  const auto runtime = IRuntime::Create({});
  const auto network = Optimize(std::move(imported.network), {}, runtime->GetDeviceSpec());
  const NetworkId id = runtime->LoadNetwork(network);
  std::vector<std::vector<unsigned char>> memory;  // of every input, and then of every output
  const auto reserve = [&](std::size_t size) { return memory.emplace_back(size).data(); };
  InputTensors inputs;
  for (const NetworkBinding& input : network->GetInputs()) {
    inputs.push_back({input.id, {input.info, reserve(input.info.GetSizeBytes())}});
  }
  OutputTensors outputs;
  for (const NetworkBinding& output : network->GetOutputs()) {
    const std::uint64_t size_bytes = output.info.GetSizeBytes();
    outputs.push_back({output.id, reserve(size_bytes), size_bytes});
  }
  std::optional<Diagnostic> failure;
  const Status status = runtime->EnqueueWorkload(id, inputs, outputs, &failure);
  if (status != Status::kSuccess) throw DiagnosticException(*failure);
  for (const auto& output : network->GetOutputs()) PrintLargest(output, outputs[output.id].data);
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
