#include "nodes/node.hpp"
#include "operators/operator_table.hpp"

#include <algorithm>

namespace backplane::onnx {
namespace {

// What training drops is random; with a ratio of 0 it is nothing.
void RefuseTrainingMode(Node& node) {
  if (!node.HasInput(2)) return;
  const auto training = node.FindConstantReals(2);
  if (training && training->size() == 1 && training->front() == 0.0) return;
  const auto ratio = node.FindConstantReals(1);
  if (ratio && ratio->size() == 1 && ratio->front() == 0.0) return;
  node.RefuseAsUnsupported(
      "its input training_mode is not a constant false; only inference is supported, or a constant "
      "ratio of 0");
}

// Nothing is dropped. Until operator set 9 the mask has the type of the data.
void AddMask(Node& node) {
  const TensorShape& shape = node.GetInputShape(0);
  const DataType type = node.GetOpset() >= 10 ? DataType::kBool : node.GetInputInfo(0).data_type;
  FillDescriptor descriptor;
  descriptor.rank = shape.rank;
  std::copy_n(shape.dims, shape.rank, descriptor.dims);
  const OutputSlot one = node.AddScalar(1.0, type, "/one");
  node.SetOutput(1, node.AddLayer<LayerType::kFill>(descriptor, {one}, "/mask"));
}

}  // namespace

// Drops nothing when a network is run and not trained.
void ConvertDropout(Node& node) {
  for (const char* name : {"ratio", "seed", "is_test", "consumed_inputs"}) {
    node.GetAttributes().Ignore(name);
  }
  RefuseTrainingMode(node);
  if (node.IsOutputRead(1)) AddMask(node);
  node.ForwardInput(0);
}

}  // namespace backplane::onnx
