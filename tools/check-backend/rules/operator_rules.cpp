// Operators of the backend's own.

#include "harness/garbage.hpp"
#include "harness/network.hpp"
#include "harness/session.hpp"
#include "rules.hpp"

#include "conformance/difference.hpp"

#include <backplane/api/custom_layer.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/optimize.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

std::vector<StoredTensor> Store(const std::vector<OperatorTensor>& tensors) {
  std::vector<StoredTensor> stored;
  for (const OperatorTensor& tensor : tensors) {
    stored.emplace_back(tensor.info);
    stored.back().bytes = tensor.bytes;
  }
  return stored;
}

/// Errors: DiagnosticException when the core refuses the layer.
std::unique_ptr<INetwork> BuildNetworkOf(const OperatorCase& one) {
  auto network = INetwork::Create("case");
  std::vector<OutputSlot> inputs;
  for (const OperatorTensor& input : one.inputs) {
    inputs.push_back(network->AddInputLayer(input.info, "x" + std::to_string(inputs.size())));
  }
  std::vector<TensorInfo> outputs;
  for (const OperatorTensor& output : one.outputs) outputs.push_back(output.info);
  const CustomLayer custom(one.domain, one.type, one.version, one.attributes, outputs);
  const LayerId layer =
      network->AddOperatorLayer(LayerType::kCustom, custom.Get(), inputs, one.type);
  for (std::uint32_t i = 0; i < outputs.size(); ++i) {
    network->AddOutputLayer({layer, i}, "y" + std::to_string(i));
  }
  return network;
}

/// The outputs, which are filled with what no layer gives before.
/// Errors: DiagnosticException.
std::vector<StoredTensor> Run(const OperatorCase& one, const std::string& id, IRuntime& runtime) {
  const NetworkId network =
      runtime.LoadNetwork(Optimize(*BuildNetworkOf(one), {id}, runtime.GetDeviceSpec()));
  std::vector<StoredTensor> results;
  for (const OperatorTensor& output : one.outputs) results.push_back(MakeGarbage(output.info));
  InputTensors inputs;
  for (const OperatorTensor& input : one.inputs) {
    inputs.push_back(
        {static_cast<LayerBindingId>(inputs.size()), {input.info, input.bytes.data()}});
  }
  OutputTensors outputs;
  for (StoredTensor& result : results) {
    outputs.push_back(
        {static_cast<LayerBindingId>(outputs.size()), result.bytes.data(), result.bytes.size()});
  }
  std::optional<Diagnostic> failure;
  const Status status = runtime.EnqueueWorkload(network, inputs, outputs, &failure);
  runtime.UnloadNetwork(network);
  if (status != Status::kSuccess) throw DiagnosticException(failure.value());
  return results;
}

}  // namespace

void CheckOperatorCasesAreRight(Session& session) {
  const std::vector<OperatorCase> cases = session.GetPlugin().GetBackend().GetOperatorCases();
  if (cases.empty()) return session.Skip("it states no cases of operators of its own");
  const TestRuntime runtime(session, session.GetPlugin().GetId());
  for (const OperatorCase& one : cases) {
    const std::string name = one.domain + '/' + one.type + '/' + std::to_string(one.version);
    if (!session.Begin("runs " + name + ", " + one.name)) continue;
    const auto found = Run(one, session.GetPlugin().GetId(), runtime.Get());
    const auto expected = Store(one.outputs);
    conformance::Tolerance tolerance;
    tolerance.relative = tolerance.absolute = one.tolerance;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto difference = conformance::FindDifferentElement(found[i], expected[i], tolerance);
      if (difference) {
        session.Report("output " + std::to_string(i) + ", " + ToText(*difference),
                       "what the case says");
      }
    }
  }
}

}  // namespace backplane::check_backend
