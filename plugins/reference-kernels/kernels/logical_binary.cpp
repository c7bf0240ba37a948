#include "cpu_layers/refusal.hpp"
#include "kernel.hpp"
#include "kernels/combine.hpp"

#include <backplane/api/descriptors/logical_binary.hpp>

namespace backplane {
namespace reference {
namespace {

using Bool = std::uint8_t;

/// Every byte but 0 is true.
class LogicalBinaryKernel : public Kernel {
 public:
  explicit LogicalBinaryKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<LogicalBinaryDescriptor>().operation),
        broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    switch (operation_) {
      case LogicalOperation::kAnd:
        return Apply(tensors, [](bool a, bool b) { return a & b; });
      case LogicalOperation::kOr:
        return Apply(tensors, [](bool a, bool b) { return a | b; });
      case LogicalOperation::kXor:
        return Apply(tensors, [](bool a, bool b) { return a != b; });
    }
  }

 private:
  template <typename Operation>
  void Apply(const RunTensors& tensors, Operation operation) const {
    Combine<Bool, Bool>(broadcast_, tensors, [operation](Bool a, Bool b) {
      return static_cast<Bool>(operation(a != 0, b != 0));
    });
  }

  const LogicalOperation operation_;
  const Broadcast broadcast_;
};

bool IsKnown(LogicalOperation operation) {
  return operation >= LogicalOperation::kAnd && operation <= LogicalOperation::kXor;
}

}  // namespace

std::string FindRefusalOfLogicalBinary(const Layer& layer) {
  Refusal refusal;
  const TensorRoles all_bool = {{TensorRole::kBool, TensorRole::kBool}, {TensorRole::kBool}};
  RequireTypesOfRoles(layer, all_bool, refusal);
  const auto operation = layer.GetDescriptor<LogicalBinaryDescriptor>().operation;
  if (!IsKnown(operation)) {
    refusal.Add("logical operation ", static_cast<std::uint32_t>(operation),
                " is not supported, only 1 (And), 2 (Or) and 3 (Xor)");
  }
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeLogicalBinary(const Layer& layer) {
  return std::make_unique<LogicalBinaryKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
