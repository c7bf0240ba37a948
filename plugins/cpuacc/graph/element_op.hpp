#pragma once

/// What can be done to each element of a tensor of float32 without leaving the register.

#include <backplane/api/descriptors/activation.hpp>
#include <backplane/api/descriptors/elementwise_binary.hpp>
#include <backplane/api/descriptors/elementwise_unary.hpp>

#include <cstdint>

namespace backplane {
namespace cpuacc {

constexpr std::uint32_t kNoOperand = ~std::uint32_t{0};

/// x becomes f(x), or f(x, operand), or f(operand, x).
struct ElementOp {
  enum class Kind : std::uint32_t {
    kActivation,  // `activation` with alpha and beta
    kUnary,       // `unary`
    kBinary,      // `binary` with `operand`
    kPrelu,       // x < 0 ? x * operand : x
  };

  Kind kind = Kind::kActivation;
  ActivationFunction activation = ActivationFunction::kRelu;
  UnaryOperation unary = UnaryOperation::kAbs;
  BinaryOperation binary = BinaryOperation::kAdd;
  float alpha = 0.0F;
  float beta = 0.0F;
  std::uint32_t operand = kNoOperand;  // among the inputs of the node; broadcasts to output 0
  bool operand_is_first = false;       // f(operand, x)
};

inline bool HasOperand(const ElementOp& op) {
  return op.operand != kNoOperand;
}

/// f(x, y) is f(y, x).
bool Commutes(BinaryOperation operation);

ElementOp MakeActivation(ActivationFunction function, float alpha, float beta);
ElementOp MakeUnary(UnaryOperation operation);
/// `operand` counts among the inputs of the node.
ElementOp MakeBinary(BinaryOperation operation, std::uint32_t operand, bool operand_is_first);
ElementOp MakePrelu(std::uint32_t operand);

}  // namespace cpuacc
}  // namespace backplane
