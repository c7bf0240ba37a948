// Runs one network on the backend of a directory and prints the bytes of its results: what each
// build of one source gives must be the same. The rest of the network runs on CpuRef, whose file is
// the third argument.
//
//   abi_run_backend DIRECTORY ID CPUREF_FILE

#include <backplane/runtime/i_runtime.hpp>

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>

namespace {

using namespace backplane;

// y = relu(relu(x) + c) + x
std::unique_ptr<INetwork> BuildNetwork() {
  auto network = INetwork::Create("of a build");
  const TensorInfo info({2, 3}, DataType::kFloat32);
  const float c[] = {0.1F, -0.2F, 0.3F, -4, 5, 1e-20F};
  const OutputSlot x = network->AddInputLayer(info, "x");
  const OutputSlot constant = network->AddConstantLayer(info, CopyConstantData(c, sizeof c), "c");
  const LayerId first = AddLayer<LayerType::kActivation>(*network, {}, {x}, "first");
  const LayerId sum =
      AddLayer<LayerType::kElementwiseBinary>(*network, {}, {{first, 0}, constant}, "sum");
  const LayerId second = AddLayer<LayerType::kActivation>(*network, {}, {{sum, 0}}, "second");
  const LayerId last =
      AddLayer<LayerType::kElementwiseBinary>(*network, {}, {{second, 0}, x}, "last");
  network->AddOutputLayer({last, 0}, "y");
  return network;
}

// A static C++ library never frees its emergency pool. The leak checker finds the pool only through
// a file that is still loaded when the process ends.
void KeepLoaded([[maybe_unused]] const std::string& file) {
#if defined(__SANITIZE_ADDRESS__)
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) == nullptr) {
    throw std::runtime_error(dlerror());
  }
#endif
}

int Run(const std::string& directory, const std::string& id, const std::string& reference) {
  namespace fs = std::filesystem;
  const fs::path beside = fs::path(directory) / fs::path(reference).filename();
  if (!fs::exists(beside)) fs::create_symlink(reference, beside);
  CreationOptions options;
  options.dynamic_backends_path = directory;
  const auto runtime = IRuntime::Create(options);
  KeepLoaded(directory + "/Example_" + id + "_backend.so");
  const auto optimized = Optimize(*BuildNetwork(), {id, "CpuRef"}, runtime->GetDeviceSpec());
  if (ToText(optimized->GetPlacement()).find(id) == std::string::npos) {
    std::cerr << "no layer runs on " << id << '\n';
    return 1;
  }
  const NetworkId network = runtime->LoadNetwork(optimized);
  const float x[] = {1, -1, 3.5F, 4, -5, 1e-30F};
  float y[6] = {};
  std::optional<Diagnostic> failure;
  const Status status = runtime->EnqueueWorkload(network, {{0, {{{2, 3}, DataType::kFloat32}, x}}},
                                                 {{0, y, sizeof y}}, &failure);
  if (status != Status::kSuccess) throw DiagnosticException(*failure);
  for (const float value : y) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    std::printf("%08x ", bits);
  }
  std::printf("\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "usage: abi_run_backend DIRECTORY ID CPUREF_FILE\n";
    return 64;
  }
  return Run(argv[1], argv[2], argv[3]);
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
