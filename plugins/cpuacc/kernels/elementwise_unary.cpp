#include "axes/visit_integers.hpp"
#include "cpu_layers/enumerators.hpp"
#include "cpu_layers/unary_function.hpp"
#include "kernel_builders/kept_layout.hpp"
#include "kernels/kernel_table.hpp"
#include "quantised/byte_table.hpp"
#include "quantised/quantised_types.hpp"
#include "threads/parallel.hpp"

#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// Of integers, and of bool, whose operation is LogicalNot alone.
template <typename Integer>
class IntegerUnary : public Kernel {
 public:
  IntegerUnary(std::int64_t num_elements, UnaryOperation operation)
      : num_elements_(num_elements), operation_(operation) {}

  void Run(const KernelRun& run) const override {
    using Wide = std::int64_t;
    if (operation_ == UnaryOperation::kLogicalNot) {
      return Map(run, [](Wide x) { return Wide{x == 0}; });
    }
    cpu_layers::VisitUnaryOperationOnIntegers<Wide>(operation_,
                                                    [&](auto function) { Map(run, function); });
  }

 private:
  template <typename Function>
  void Map(const KernelRun& run, Function function) const {
    constexpr std::int64_t kWorthAThread = 32768;
    const auto* input = run.Input<Integer>(0);
    auto* output = run.Output<Integer>();
    ParallelFor(run.threads, num_elements_, kWorthAThread,
                [&](std::int64_t begin, std::int64_t end) {
                  std::transform(input + begin, input + end, output + begin, [&](Integer x) {
                    return static_cast<Integer>(function(std::int64_t{x}));
                  });
                });
  }

  const std::int64_t num_elements_;
  const UnaryOperation operation_;
};

void RequireTypes(const Layer& layer, UnaryOperation operation, Refusal& refusal) {
  if (operation == UnaryOperation::kLogicalNot) {
    return RequireTypesOfRoles(layer, {{TensorRole::kBool}, {TensorRole::kBool}}, refusal);
  }
  if (IsQuantised(layer)) return RequireBytesWithOneScale(layer, refusal);
  const bool is_of_integers =
      operation == UnaryOperation::kAbs || operation == UnaryOperation::kNegate ||
      operation == UnaryOperation::kSign || operation == UnaryOperation::kBitwiseNot;
  if (is_of_integers) return RequireFloat32OrIntegers(layer, refusal);
  RequireFloat32(layer, refusal);
}

/// There is no such operation on what is no integer.
void RequireIntegersForBits(const Layer& layer, UnaryOperation operation, Refusal& refusal) {
  if (operation != UnaryOperation::kBitwiseNot || IsPlainInteger(layer.Input(0))) return;
  refusal.Add("of input 0, which is ", GetDataTypeName(layer.Input(0).data_type),
              ", no BitwiseNot is supported, only of int8, uint8, int32 and int64");
}

std::unique_ptr<const Kernel> MakeQuantisedUnary(KernelMaker& maker, UnaryOperation operation) {
  ByteTable table = {};
  const auto visit = [&](auto function) {
    table = MakeByteTable(maker.GetInput(0).info, maker.GetOutput().info, function);
  };
  cpu_layers::VisitUnaryOperation<double>(operation, visit);
  return MakeByteTableKernel(maker, table);
}

}  // namespace

std::string FindRefusalOfElementwiseUnary(const Layer& layer) {
  Refusal refusal;
  const auto operation = layer.GetDescriptor<ElementwiseUnaryDescriptor>().operation;
  RequireTypes(layer, operation, refusal);
  RequireIntegersForBits(layer, operation, refusal);
  RequireEnumerator("unary operation", operation, UnaryOperation::kLogicalNot,
                    "1 (Abs) to 24 (LogicalNot)", refusal);
  RequireOutputShape(layer, layer.Input(0).shape, refusal);
  return refusal.GetReason();
}

std::unique_ptr<const Kernel> MakeElementwiseUnary(KernelMaker& maker) {
  const auto operation = maker.GetNode().GetDescriptor<ElementwiseUnaryDescriptor>().operation;
  const TensorInfo& input = maker.GetInput(0).info;
  const bool is_bool = input.data_type == DataType::kBool;
  if (!is_bool && !IsPlainInteger(input)) return MakeQuantisedUnary(maker, operation);
  KeepLayout(maker);
  const std::int64_t count = input.shape.GetNumElements();
  return VisitIntegers(is_bool ? DataType::kUInt8 : input.data_type,
                       [&](auto integer) -> std::unique_ptr<const Kernel> {
                         return std::make_unique<IntegerUnary<decltype(integer)>>(count, operation);
                       });
}

}  // namespace cpuacc
}  // namespace backplane
