// run_in_time [BACKENDS_DIRECTORY]: runs a small network within a time, in the background too, and
// shuts down within a time.

#include <backplane/runtime/i_runtime.hpp>

#include <chrono>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {

using namespace backplane;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::unique_ptr<INetwork> BuildNetwork() {
  auto network = INetwork::Create("relu");
  const OutputSlot x = network->AddInputLayer({{1, 3}, DataType::kFloat32}, "x");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {x}, "relu");
  network->AddOutputLayer({relu, 0}, "y");
  return network;
}

void RunNowWithin(IRuntime& runtime, NetworkId id, const InputTensors& inputs,
                  const OutputTensors& outputs) {
  const CancellationSource user;  // user.Cancel(), from any thread
  RunOptions options;
  options.timeout = milliseconds(500);
  options.cancellation = user.GetToken();
  std::optional<Diagnostic> failure;
  const Status status = runtime.EnqueueWorkload(id, inputs, outputs, options, &failure);
  if (status == Status::kTimeout) std::cerr << ToText(*failure) << '\n';
}

void RunInBackground(IRuntime& runtime, NetworkId id, const InputTensors& inputs,
                     const OutputTensors& outputs) {
  AsyncRunOptions options;
  options.run.timeout = milliseconds(500);  // in the queue and in the network together
  options.priority = 1;
  options.max_wait = milliseconds(50);  // for room in a full queue
  std::future<RunResult> result = runtime.EnqueueWorkloadAsync(id, inputs, outputs, options);
  const RunResult ended = result.get();
  if (ended.failure) throw DiagnosticException(*ended.failure);
}

}  // namespace

int main(int argc, char** argv) try {
  CreationOptions options;
  if (argc > 1) options.dynamic_backends_path = argv[1];
  options.async_runs.num_threads = 2;
  options.async_runs.queue_capacity = 16;
  const auto runtime = IRuntime::Create(options);
  const auto network = Optimize(*BuildNetwork(), {}, runtime->GetDeviceSpec());
  const NetworkId id = runtime->LoadNetwork(network);
  const float x[] = {-1, 0, 1};
  float y[3] = {};
  const InputTensors inputs{{0, {{{1, 3}, DataType::kFloat32}, x}}};
  const OutputTensors outputs{{0, y, sizeof y}};
  RunNowWithin(*runtime, id, inputs, outputs);
  RunInBackground(*runtime, id, inputs, outputs);
  std::cout << "y = " << y[0] << ", " << y[1] << ", " << y[2] << '\n';

  std::optional<Diagnostic> failure;
  if (runtime->Shutdown(steady_clock::now() + milliseconds(2000), &failure) != Status::kSuccess) {
    std::cerr << ToText(*failure) << '\n';
  }
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
