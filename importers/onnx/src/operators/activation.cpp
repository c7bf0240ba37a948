#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

namespace backplane::onnx {
namespace {

void Convert(Node& node, ActivationFunction function, float alpha = 1.0F, float beta = 1.0F) {
  ActivationDescriptor descriptor;
  descriptor.function = function;
  descriptor.alpha = alpha;
  descriptor.beta = beta;
  node.SetOutput(node.AddLayer<LayerType::kActivation>(descriptor, {node.GetInput(0)}));
}

float ReadFloat(Node& node, const char* name, float default_value) {
  return node.GetAttributes().FindFloat(name).value_or(default_value);
}

}  // namespace

void ConvertRelu(Node& node) {
  Convert(node, ActivationFunction::kRelu);
}

void ConvertLeakyRelu(Node& node) {
  Convert(node, ActivationFunction::kLeakyRelu, ReadFloat(node, "alpha", 0.01F));
}

void ConvertThresholdedRelu(Node& node) {
  Convert(node, ActivationFunction::kThresholdedRelu, ReadFloat(node, "alpha", 1.0F));
}

void ConvertSigmoid(Node& node) {
  Convert(node, ActivationFunction::kSigmoid);
}

void ConvertHardSigmoid(Node& node) {
  const float alpha = ReadFloat(node, "alpha", 0.2F);
  Convert(node, ActivationFunction::kHardSigmoid, alpha, ReadFloat(node, "beta", 0.5F));
}

void ConvertHardSwish(Node& node) {
  Convert(node, ActivationFunction::kHardSwish);
}

void ConvertTanh(Node& node) {
  Convert(node, ActivationFunction::kTanH);
}

void ConvertElu(Node& node) {
  Convert(node, ActivationFunction::kElu, ReadFloat(node, "alpha", 1.0F));
}

// The defaults gained digits in operator set 6.
void ConvertSelu(Node& node) {
  const bool is_rough = node.GetOpset() < 6;
  const float alpha = ReadFloat(node, "alpha", is_rough ? 1.6732F : 1.67326319217681884765625F);
  const float gamma = ReadFloat(node, "gamma", is_rough ? 1.0507F : 1.05070102214813232421875F);
  Convert(node, ActivationFunction::kSelu, alpha, gamma);
}

void ConvertCelu(Node& node) {
  Convert(node, ActivationFunction::kCelu, ReadFloat(node, "alpha", 1.0F));
}

void ConvertMish(Node& node) {
  Convert(node, ActivationFunction::kMish);
}

void ConvertSwish(Node& node) {
  Convert(node, ActivationFunction::kSwish, ReadFloat(node, "alpha", 1.0F));
}

void ConvertSoftplus(Node& node) {
  Convert(node, ActivationFunction::kSoftplus);
}

void ConvertSoftsign(Node& node) {
  Convert(node, ActivationFunction::kSoftsign);
}

void ConvertShrink(Node& node) {
  const float lambd = ReadFloat(node, "lambd", 0.5F);
  Convert(node, ActivationFunction::kShrink, lambd, ReadFloat(node, "bias", 0.0F));
}

}  // namespace backplane::onnx
