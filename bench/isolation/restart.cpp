// Usage: bench_restart MODEL.onnx BACKEND TIMES
// Loads a model on a backend in a process of its own, and kills that process as often as it is told
// while nothing runs. Prints, for each time, the milliseconds of the next run that works: the start
// of the new process, placing and loading the network again, and the run.

#include <backplane/host/backend_registry.hpp>
#include <backplane/host/isolation.hpp>
#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

using namespace backplane;
using Clock = std::chrono::steady_clock;

class Model {
 public:
  Model(const std::string& path, const std::string& backend) {
    CreationOptions options;
    options.isolation.rules = {{backend, Isolation::kProcess}};
    options.isolation.max_deaths = 1'000'000;
    runtime_ = IRuntime::Create(options);
    const auto imported = onnx::ImportModel(path, {});
    if (imported.is_open) throw std::runtime_error(path + ": expected a model with fixed inputs");
    const auto network = Optimize(*imported.network, {backend}, runtime_->GetDeviceSpec());
    id_ = runtime_->LoadNetwork(network);
    for (const NetworkBinding& input : network->GetInputs()) {
      memory_.push_back(runtime_->AllocateTensorMemory(input.info.GetSizeBytes()));
      inputs_.push_back({input.id, {input.info, memory_.back().get()}});
    }
    for (const NetworkBinding& output : network->GetOutputs()) {
      const std::uint64_t size_bytes = output.info.GetSizeBytes();
      memory_.push_back(runtime_->AllocateTensorMemory(size_bytes));
      outputs_.push_back({output.id, memory_.back().get(), size_bytes});
    }
    const BackendRegistry& registry = runtime_->GetDeviceSpec().GetRegistry();
    process_ = registry.GetRegistration(backend).origin->isolation;
  }

  bool Run() {
    return runtime_->EnqueueWorkload(id_, inputs_, outputs_, nullptr) == Status::kSuccess;
  }

  /// The milliseconds until a run has worked again.
  double RunAfterKill() {
    const auto process = static_cast<pid_t>(process_->GetProcessId());
    const auto begin = Clock::now();
    if (process <= 0 || kill(process, SIGKILL) != 0) throw std::runtime_error("no process to kill");
    // Its end may be seen a moment after it was killed; runs until then may fail.
    const std::uint32_t starts = process_->GetNumStarts();
    while (!Run() || process_->GetNumStarts() == starts) continue;
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  }

 private:
  std::unique_ptr<IRuntime> runtime_;
  std::shared_ptr<IsolatedProcess> process_;
  NetworkId id_ = 0;
  std::vector<std::shared_ptr<void>> memory_;
  InputTensors inputs_;
  OutputTensors outputs_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench_restart MODEL.onnx BACKEND TIMES\n");
    return 64;
  }
  try {
    Model model(argv[1], argv[2]);
    model.Run();
    for (int i = 0; i < std::stoi(argv[3]); ++i) std::printf("%.3f\n", model.RunAfterKill());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s\n", exception.what());
    return 1;
  }
  return 0;
}
