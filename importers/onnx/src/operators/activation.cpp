#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "tensors/shape.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, ActivationFunction function, float alpha = 1.0F, float beta = 1.0F) {
  node.SetOutput(AddActivation(node, function, node.GetInput(0), "", alpha, beta));
}

float ReadFloat(Node& node, const char* name, float default_value) {
  return node.GetAttributes().FindFloat(name).value_or(default_value);
}

// The function is of the input plus a bias, which may be absent.
void ConvertBiased(Node& node, ActivationFunction function) {
  OutputSlot sum = node.GetInput(0);
  if (node.HasInput(1)) {
    sum = AddBinary(node, BinaryOperation::kAdd, sum, node.GetInput(1), "/bias");
  }
  node.SetOutput(AddActivation(node, function, sum, ""));
}

}  // namespace

#define BACKPLANE_CONVERT(op, ...)                  \
  void Convert##op(Node& node) {                    \
    Convert(node, ActivationFunction::__VA_ARGS__); \
  }
BACKPLANE_CONVERT(Relu, kRelu)
BACKPLANE_CONVERT(Sigmoid, kSigmoid)
BACKPLANE_CONVERT(HardSwish, kHardSwish)
BACKPLANE_CONVERT(Tanh, kTanH)
BACKPLANE_CONVERT(Mish, kMish)
BACKPLANE_CONVERT(Softplus, kSoftplus)
BACKPLANE_CONVERT(Softsign, kSoftsign)
BACKPLANE_CONVERT(LeakyRelu, kLeakyRelu, ReadFloat(node, "alpha", 0.01F))
BACKPLANE_CONVERT(ThresholdedRelu, kThresholdedRelu, ReadFloat(node, "alpha", 1.0F))
BACKPLANE_CONVERT(Elu, kElu, ReadFloat(node, "alpha", 1.0F))
BACKPLANE_CONVERT(Celu, kCelu, ReadFloat(node, "alpha", 1.0F))
BACKPLANE_CONVERT(Swish, kSwish, ReadFloat(node, "alpha", 1.0F))
BACKPLANE_CONVERT(MicrosoftGelu, kGelu)
BACKPLANE_CONVERT(MicrosoftQuickGelu, kSwish, ReadFloat(node, "alpha", 1.702F))
#undef BACKPLANE_CONVERT

void ConvertHardSigmoid(Node& node) {
  const float alpha = ReadFloat(node, "alpha", 0.2F);
  Convert(node, ActivationFunction::kHardSigmoid, alpha, ReadFloat(node, "beta", 0.5F));
}

// The defaults gained digits in operator set 6.
void ConvertSelu(Node& node) {
  const bool is_rough = node.GetOpset() < 6;
  const float alpha = ReadFloat(node, "alpha", is_rough ? 1.6732F : 1.67326319217681884765625F);
  const float gamma = ReadFloat(node, "gamma", is_rough ? 1.0507F : 1.05070102214813232421875F);
  Convert(node, ActivationFunction::kSelu, alpha, gamma);
}

void ConvertShrink(Node& node) {
  const float lambd = ReadFloat(node, "lambd", 0.5F);
  Convert(node, ActivationFunction::kShrink, lambd, ReadFloat(node, "bias", 0.0F));
}

void ConvertGelu(Node& node) {
  const std::string approximate = node.GetAttributes().FindString("approximate").value_or("none");
  if (approximate == "none") return Convert(node, ActivationFunction::kGelu);
  if (approximate == "tanh") return Convert(node, ActivationFunction::kGeluTanH);
  node.GetAttributes().Refuse("approximate", "\"" + approximate + "\"",
                              "supported are none and tanh");
}

void ConvertMicrosoftBiasGelu(Node& node) {
  ConvertBiased(node, ActivationFunction::kGelu);
}

void ConvertMicrosoftFastGelu(Node& node) {
  ConvertBiased(node, ActivationFunction::kGeluTanH);
}

// Swish of the one, times the other.
void ConvertSwiGLU(Node& node) {
  const TensorShape& gate = node.GetInputShape(0);
  const TensorShape& values = node.GetInputShape(1);
  if (gate != values) {
    node.RefuseAsInvalid("its inputs are " + ToText(gate) + " and " + ToText(values) +
                         "; the same shape is expected");
  }
  const OutputSlot swish = AddActivation(node, ActivationFunction::kSwish, node.GetInput(0),
                                         "/swish", ReadFloat(node, "alpha", 1.0F));
  node.SetOutput(AddBinary(node, BinaryOperation::kMul, swish, node.GetInput(1), ""));
}

}  // namespace backplane::onnx
