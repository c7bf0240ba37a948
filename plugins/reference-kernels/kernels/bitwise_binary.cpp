#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/combine.hpp"

#include <backplane/api/descriptors/bitwise_binary.hpp>

namespace backplane {
namespace reference {
namespace {

/// What is shifted out of a narrower type on the left is cut off when the result is stored.
template <typename Number>
Number ShiftLeft(Number value, Number amount) {
  const auto places = static_cast<std::uint64_t>(amount);
  return places < 64 ? static_cast<Number>(static_cast<std::uint64_t>(value) << places) : Number{};
}

template <typename Number>
Number ShiftRight(Number value, Number amount) {
  const auto places = static_cast<std::uint64_t>(amount);
  if (places < 64) return value >> places;
  return value < 0 ? static_cast<Number>(-1) : Number{};
}

template <typename Number>
class BitwiseBinaryKernel : public Kernel {
 public:
  explicit BitwiseBinaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<BitwiseBinaryDescriptor>().operation),
        broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    switch (operation_) {
      case BitwiseOperation::kAnd:
        return Apply(tensors, [](Number a, Number b) { return a & b; });
      case BitwiseOperation::kOr:
        return Apply(tensors, [](Number a, Number b) { return a | b; });
      case BitwiseOperation::kXor:
        return Apply(tensors, [](Number a, Number b) { return a ^ b; });
      case BitwiseOperation::kShiftLeft:
        return Apply(tensors, [](Number a, Number b) { return ShiftLeft(a, b); });
      case BitwiseOperation::kShiftRight:
        return Apply(tensors, [](Number a, Number b) { return ShiftRight(a, b); });
    }
  }

 private:
  template <typename Operation>
  void Apply(const RunTensors& tensors, Operation operation) const {
    Combine<Number, Number>(broadcast_, tensors, operation);
  }

  const BitwiseOperation operation_;
  const Broadcast broadcast_;
};

// The enumerators are numbered without a gap.
bool IsKnown(BitwiseOperation operation) {
  return operation >= BitwiseOperation::kAnd && operation <= BitwiseOperation::kShiftRight;
}

}  // namespace

std::string FindRefusalOfBitwiseBinary(const Layer& layer) {
  Refusal refusal;
  RequireIntegers(layer, refusal);
  const auto operation = layer.GetDescriptor<BitwiseBinaryDescriptor>().operation;
  if (!IsKnown(operation)) {
    refusal.Add("bitwise operation ", static_cast<std::uint32_t>(operation),
                " is not supported, only 1 (And) to 5 (ShiftRight)");
  }
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeBitwiseBinary(const Layer& layer) {
  if (GetComputeType(layer.Input(0)) == ComputeType::kInt64) {
    return WithConversions(layer, std::make_unique<BitwiseBinaryKernel<std::int64_t>>(layer));
  }
  return WithConversions(layer, std::make_unique<BitwiseBinaryKernel<std::uint64_t>>(layer));
}

}  // namespace reference
}  // namespace backplane
