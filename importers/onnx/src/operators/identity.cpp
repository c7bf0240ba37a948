#include "graph/node.hpp"
#include "graph/operator_table.hpp"

#include "diagnostics/throw_diagnostic.hpp"

namespace backplane::onnx {
namespace {

bool IsConstantFalse(const Value& value) {
  return value.is_constant && value.info.data_type == DataType::kBool &&
         value.info.shape.GetNumElements() == 1 &&
         *static_cast<const unsigned char*>(value.data.get()) == 0;
}

}  // namespace

void ConvertIdentity(Node& node) {
  node.ForwardInput(0);
}

// Drops nothing when a network is run and not trained.
void ConvertDropout(Node& node) {
  node.RefuseFurtherOutputs("the mask of what was dropped");
  for (const char* name : {"ratio", "seed", "is_test"}) node.GetAttributes().Ignore(name);
  if (node.HasInput(2) && !IsConstantFalse(node.GetValue(2))) {
    ThrowError(DiagnosticCode::kUnsupportedAttribute, {SubjectKind::kLayer, node.GetName()},
               node.GetDescription() + " is in training mode",
               "its input training_mode is not a constant false", "export the model for inference");
  }
  node.ForwardInput(0);
}

}  // namespace backplane::onnx
