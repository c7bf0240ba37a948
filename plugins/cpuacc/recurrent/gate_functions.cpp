#include "recurrent/gate_functions.hpp"

#include "simd/simd.hpp"

#include <backplane/api/descriptors/activation.hpp>

namespace backplane {
namespace cpuacc {
namespace {

ActivationFunction ToActivation(RecurrentActivation function) {
  switch (function) {
    case RecurrentActivation::kAffine:
      return ActivationFunction::kLinear;
    case RecurrentActivation::kRelu:
      return ActivationFunction::kRelu;
    case RecurrentActivation::kLeakyRelu:
      return ActivationFunction::kLeakyRelu;
    case RecurrentActivation::kThresholdedRelu:
      return ActivationFunction::kThresholdedRelu;
    case RecurrentActivation::kTanH:
      return ActivationFunction::kTanH;
    case RecurrentActivation::kSigmoid:
      return ActivationFunction::kSigmoid;
    case RecurrentActivation::kHardSigmoid:
      return ActivationFunction::kHardSigmoid;
    case RecurrentActivation::kElu:
      return ActivationFunction::kElu;
    case RecurrentActivation::kSoftsign:
      return ActivationFunction::kSoftsign;
    case RecurrentActivation::kSoftplus:
      return ActivationFunction::kSoftplus;
  }
  return ActivationFunction::kSigmoid;
}

GateFunction MakeFunction(const RecurrentGate& gate) {
  const auto index = static_cast<std::size_t>(ToActivation(gate.function));
  return {GetSimdFunctions().elements.activations[index], gate.alpha, gate.beta};
}

bool IsTanH(const RecurrentGate& gate) {
  return gate.function == RecurrentActivation::kTanH && gate.alpha == 1.0F && gate.beta == 1.0F;
}

bool AreUsual(const RecurrentGate* gates, RecurrentCellKind kind) {
  if (kind == RecurrentCellKind::kRnn) return IsTanH(gates[0]);
  return gates[0].function == RecurrentActivation::kSigmoid && IsTanH(gates[1]) &&
         (kind != RecurrentCellKind::kLstm || IsTanH(gates[2]));
}

}  // namespace

void SetGateFunctions(const RecurrentGate* gates, float clip, RecurrentCellKind kind,
                      RecurrentCell& cell) {
  for (int index = 0; index < 3; ++index) cell.functions[index] = MakeFunction(gates[index]);
  cell.clip = clip;
  cell.has_usual_functions = clip == 0.0F && AreUsual(gates, kind);
}

}  // namespace cpuacc
}  // namespace backplane
