// Runs two layers: one on a backend linked in, one on the reference backend that is installed.

#include <backplane/api/static_backend.hpp>
#include <backplane/host/backend_registry.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <cstdio>
#include <cstdlib>

BACKPLANE_DECLARE_STATIC_BACKEND(Acme_Npu);

namespace {

using namespace backplane;

void Check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "application: %s\n", what);
  std::exit(1);
}

std::shared_ptr<const IOptimizedNetwork> BuildNetwork(const IRuntime& runtime) {
  const auto network = INetwork::Create("two layers");
  const OutputSlot input = network->AddInputLayer({{1, 4}, DataType::kFloat32}, "in");
  const LayerId relu = AddLayer<LayerType::kActivation>(*network, {}, {input}, "relu");
  ElementwiseBinaryDescriptor doubled;
  const LayerId sum =
      AddLayer<LayerType::kElementwiseBinary>(*network, doubled, {{relu, 0}, {relu, 0}}, "sum");
  network->AddOutputLayer({sum, 0}, "out");
  return Optimize(*network, {"AcmeNpu", "CpuRef"}, runtime.GetDeviceSpec());
}

}  // namespace

int main() {
  RegisterStaticBackend(BACKPLANE_STATIC_ENTRY_POINTS(Acme_Npu));
  const auto runtime = IRuntime::Create({});
  const auto network = BuildNetwork(*runtime);
  Check(network->GetPlacement().layers[0].backend_id == "AcmeNpu", "relu is not on AcmeNpu");
  Check(network->GetPlacement().layers[1].backend_id == "CpuRef", "sum is not on CpuRef");
  const NetworkId id = runtime->LoadNetwork(network);
  const float in[4] = {1, -2, 3, -4};
  float out[4] = {};
  const Status status = runtime->EnqueueWorkload(id, {{0, {{{1, 4}, DataType::kFloat32}, in}}},
                                                 {{0, out, sizeof out}});
  Check(status == Status::kSuccess, "the run failed");
  Check(out[0] == 2 && out[1] == 0 && out[2] == 6 && out[3] == 0, "the results are wrong");
  std::puts("application: two layers on two backends, results right");
  return 0;
}
