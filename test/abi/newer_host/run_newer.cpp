// Prints what a host does with the one backend of a directory: how it loads, the results of a
// network, and, with the newer headers, what comes of each thing that is new.
//
//   run_newer DIRECTORY at-once|isolated|at-first-use

#include <backplane/api/c_memory.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

namespace {

using namespace backplane;

const TensorInfo kInfo{{2, 3}, DataType::kFloat32};

// y = relu(x) + x
std::unique_ptr<INetwork> BuildNetwork(const ActivationDescriptor& descriptor = {}) {
  auto network = INetwork::Create("of a backend");
  const OutputSlot x = network->AddInputLayer(kInfo, "x");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network, descriptor, {x}, "relu");
  const LayerId sum = AddLayer<LayerType::kElementwiseBinary>(*network, {}, {{relu, 0}, x}, "sum");
  network->AddOutputLayer({sum, 0}, "y");
  return network;
}

std::string ToLine(const Diagnostic& diagnostic) {
  std::string text = ToText(diagnostic);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

void Run(IRuntime& runtime, const std::string& id) {
  const NetworkId network =
      runtime.LoadNetwork(Optimize(*BuildNetwork(), {id}, runtime.GetDeviceSpec()));
  float x[] = {1, -1, 3.5F, 4, -5, 0.25F};
  float y[6] = {};
  std::optional<Diagnostic> failure;
  const auto enqueue = [&] {
    return runtime.EnqueueWorkload(network, {{0, {kInfo, x}}}, {{0, y, sizeof y}}, &failure);
  };
  if (enqueue() != Status::kSuccess) throw DiagnosticException(*failure);
  std::cout << "run:";
  for (const float value : y) std::cout << ' ' << value;
  std::cout << '\n';
  x[0] = 999;  // newer backends have a status for it
  if (enqueue() != Status::kSuccess) std::cout << "status: " << ToLine(*failure) << '\n';
}

#if defined(BACKPLANE_IS_NEWER)
void Ask(const char* what, const IRuntime& runtime, const std::string& id,
         const INetwork& network) {
  std::cout << what << ": ";
  try {
    Optimize(network, {id}, runtime.GetDeviceSpec());
    std::cout << "taken\n";
  } catch (const DiagnosticException& exception) {
    std::cout << ToLine(exception.GetDiagnostic()) << '\n';
  }
}

template <LayerType kType>
std::unique_ptr<INetwork> BuildLayer(DataType type, typename DescriptorOf<kType>::Type descriptor) {
  auto network = INetwork::Create("of one layer");
  const OutputSlot x = network->AddInputLayer({{2, 3}, type}, "x");
  network->AddOutputLayer({AddLayer<kType>(*network, descriptor, {x}, "layer"), 0}, "y");
  return network;
}

// Reads the table as a host does.
void AskFunction(const std::string& file) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto* const factory = reinterpret_cast<void* (*)()>(dlsym(library, "BackendFactory"));
  const auto table = c_form::CopyKnown(*static_cast<const bp_backend*>(factory()));
  std::cout << "function: ";
  if (table.added == nullptr || table.knows_minor < kBackendApiVersion.minor) {
    std::cout << "not asked\n";
  } else {
    std::cout << GetStatusText(c_form::ToStatus(table.added(nullptr, nullptr))) << '\n';
  }
}

void AskWhatIsNew(const IRuntime& runtime, const std::string& id, const std::string& file) {
  AskFunction(file);
  Ask("layer", runtime, id, *BuildLayer<LayerType::kAdded>(DataType::kFloat32, {}));
  ReshapeDescriptor reshape;
  reshape.rank = 1;
  reshape.dims[0] = 6;
  Ask("type", runtime, id, *BuildLayer<LayerType::kReshape>(DataType::kAdded, reshape));
  ActivationDescriptor with_field;
  with_field.gamma = 2.0F;
  Ask("field", runtime, id, *BuildNetwork(with_field));
}
#else
void AskWhatIsNew(const IRuntime&, const std::string&, const std::string&) {}
#endif

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: run_newer DIRECTORY at-once|isolated|at-first-use\n";
    return 64;
  }
  CreationOptions options;
  options.dynamic_backends_path = argv[1];
  const std::string_view how = argv[2];
  if (how == "isolated") options.isolation.rules = {{"*", Isolation::kProcess}};
  if (how == "at-first-use") {
    options.opening = Opening::kLazy;
    options.probe = BackendProbe::kChild;
  }
  const auto runtime = IRuntime::Create(options);
  const Candidate& candidate = runtime->GetLoadReport().candidates.front();
  std::cout << "loaded: " << candidate.identity->id << '\n';
  Run(*runtime, candidate.identity->id);
  AskWhatIsNew(*runtime, candidate.identity->id, candidate.path);
  return 0;
} catch (const backplane::DiagnosticException& exception) {
  std::cout << "refused: " << ToLine(exception.GetDiagnostic()) << '\n';
  return 0;
} catch (const std::exception& exception) {
  std::cerr << exception.what() << '\n';
  return 1;
}
