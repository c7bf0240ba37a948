#include "cpu_layers/refusal.hpp"
#include "elements/converting_kernel.hpp"
#include "kernel.hpp"
#include "kernels/combine.hpp"

#include <backplane/api/descriptors/comparison.hpp>

namespace backplane {
namespace reference {
namespace {

template <typename Number>
class ComparisonKernel : public Kernel {
 public:
  explicit ComparisonKernel(const Layer& layer)
      : operation_(layer.GetDescriptor<ComparisonDescriptor>().operation),
        broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    switch (operation_) {
      case ComparisonOperation::kEqual:
        return Apply(tensors, [](Number a, Number b) { return a == b; });
      case ComparisonOperation::kNotEqual:
        return Apply(tensors, [](Number a, Number b) { return a != b; });
      case ComparisonOperation::kGreater:
        return Apply(tensors, [](Number a, Number b) { return a > b; });
      case ComparisonOperation::kGreaterOrEqual:
        return Apply(tensors, [](Number a, Number b) { return a >= b; });
      case ComparisonOperation::kLess:
        return Apply(tensors, [](Number a, Number b) { return a < b; });
      case ComparisonOperation::kLessOrEqual:
        return Apply(tensors, [](Number a, Number b) { return a <= b; });
    }
  }

 private:
  template <typename Operation>
  void Apply(const RunTensors& tensors, Operation operation) const {
    Combine<Number, std::uint8_t>(broadcast_, tensors, operation);
  }

  const ComparisonOperation operation_;
  const Broadcast broadcast_;
};

/// Every byte but 0 is true, as everywhere.
class BoolEqualityKernel : public Kernel {
 public:
  explicit BoolEqualityKernel(const Layer& layer)
      : result_of_equal_(layer.GetDescriptor<ComparisonDescriptor>().operation ==
                         ComparisonOperation::kEqual),
        broadcast_(MakeBroadcast(layer)) {}

  void Run(const RunTensors& tensors) const override {
    Combine<std::uint8_t, std::uint8_t>(
        broadcast_, tensors, [result_of_equal = result_of_equal_](std::uint8_t a, std::uint8_t b) {
          return ((a != 0) == (b != 0)) == result_of_equal;
        });
  }

 private:
  const bool result_of_equal_;
  const Broadcast broadcast_;
};

// The enumerators are numbered without a gap.
bool IsKnown(ComparisonOperation operation) {
  return operation >= ComparisonOperation::kEqual && operation <= ComparisonOperation::kLessOrEqual;
}

bool ComparesBool(const Layer& layer) {
  const auto operation = layer.GetDescriptor<ComparisonDescriptor>().operation;
  const bool is_equality =
      operation == ComparisonOperation::kEqual || operation == ComparisonOperation::kNotEqual;
  return is_equality && layer.Input(0).data_type == DataType::kBool;
}

}  // namespace

std::string FindRefusalOfComparison(const Layer& layer) {
  Refusal refusal;
  if (ComparesBool(layer)) {
    const TensorRoles all_bool = {{TensorRole::kBool, TensorRole::kBool}, {TensorRole::kBool}};
    RequireTypesOfRoles(layer, all_bool, refusal);
  } else {
    RequireNumbers(layer, refusal, {{}, {TensorRole::kBool}});
  }
  const auto operation = layer.GetDescriptor<ComparisonDescriptor>().operation;
  if (!IsKnown(operation)) {
    refusal.Add("comparison ", static_cast<std::uint32_t>(operation),
                " is not supported, only 1 (Equal) to 6 (LessOrEqual)");
  }
  RequireBroadcast(layer, refusal);
  return refusal.GetReason();
}

std::unique_ptr<Kernel> MakeComparison(const Layer& layer) {
  if (ComparesBool(layer)) return std::make_unique<BoolEqualityKernel>(layer);
  return MakeNumberKernel<ComparisonKernel>(layer);
}

}  // namespace reference
}  // namespace backplane
