// Operators of the backend's own.

#include "harness/network.hpp"
#include "harness/session.hpp"
#include "rules.hpp"

#include "conformance/difference.hpp"

#include <backplane/api/custom_layer.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/optimize.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

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

/// Errors: DiagnosticException.
std::vector<StoredTensor> Run(const OperatorCase& one, const std::string& id, IRuntime& runtime) {
  const auto network = Optimize(*BuildNetworkOf(one), {id}, runtime.GetDeviceSpec());
  std::vector<StoredTensor> inputs;
  for (const OperatorTensor& input : one.inputs) {
    inputs.emplace_back(input.info);
    inputs.back().bytes = input.bytes;
  }
  NetworkRun run = RunOnce(runtime, network, inputs);
  if (run.status != Status::kSuccess) throw DiagnosticException(run.failure.value());
  return std::move(run.outputs);
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
    conformance::Tolerance tolerance;
    tolerance.relative = tolerance.absolute = one.tolerance;
    for (std::size_t i = 0; i < found.size(); ++i) {
      StoredTensor expected(one.outputs[i].info);
      expected.bytes = one.outputs[i].bytes;
      const auto difference = conformance::FindDifferentElement(found[i], expected, tolerance);
      if (difference) {
        session.Report("output " + std::to_string(i) + ", " + ToText(*difference),
                       "what the case says");
      }
    }
  }
}

void CheckOperatorsHaveCases(Session& session) {
  const IBackendInternal& backend = session.GetPlugin().GetBackend();
  const std::vector<OperatorDeclaration> operators = backend.GetOperators();
  if (operators.empty()) return session.Skip("it declares no operators of its own");
  const std::vector<OperatorCase> cases = backend.GetOperatorCases();
  for (const OperatorDeclaration& declared : operators) {
    const std::string name = declared.domain + '/' + declared.type;
    if (!session.Begin("looks for a case of " + name)) continue;
    const bool has_case = std::any_of(cases.begin(), cases.end(), [&](const OperatorCase& one) {
      return one.domain == declared.domain && one.type == declared.type;
    });
    session.Expect(has_case, "no case of " + name,
                   "inputs with the outputs that are right: nothing else is known here of what it "
                   "computes");
  }
}

}  // namespace backplane::check_backend
