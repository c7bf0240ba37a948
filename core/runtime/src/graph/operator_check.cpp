#include "graph/operator_check.hpp"

#include "graph/layer_error.hpp"
#include "graph/operators.hpp"
#include "tensors/tensor_text.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>

namespace backplane {

namespace {

std::string DescribeCount(std::uint32_t least, std::uint32_t most) {
  if (least == most) return std::to_string(least);
  if (most == kAnyNumber) return std::to_string(least) + " or more";
  return std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

void CheckOperatorType(const Layer& layer) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  if (row != nullptr && row->is_operator) return;
  const std::string found =
      row != nullptr ? std::string("found ") + row->name + ", which belongs to the core"
                     : "found number " + std::to_string(static_cast<std::uint32_t>(layer.type)) +
                           ", which is not in layers.def";
  ThrowLayerError(layer, DiagnosticCode::kUnknownLayerType, "its type is not that of an operator",
                  found + "; expected an operator of layers.def",
                  "use an operator's type; inputs, outputs and constants have Add functions of "
                  "their own");
}

void CheckInputCount(const Layer& layer, std::size_t num_inputs) {
  const LayerTypeInfo* row = FindLayerTypeInfo(layer.type);
  if (num_inputs >= row->min_inputs && num_inputs <= row->max_inputs) return;
  const std::string expected = DescribeCount(row->min_inputs, row->max_inputs);
  ThrowLayerError(layer, DiagnosticCode::kWrongInputCount, "it has the wrong number of inputs",
                  "found " + std::to_string(num_inputs) + "; expected " + expected,
                  "give the layer " + expected + " inputs");
}

void SetOperatorDescriptor(Layer& layer, const BaseDescriptor& descriptor) {
  const std::uint32_t known = FindLayerTypeInfo(layer.type)->descriptor_size_bytes;
  if (descriptor.size_bytes < sizeof(BaseDescriptor) || descriptor.size_bytes > known) {
    ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor,
                    "its descriptor has a size that is not known",
                    "found " + std::to_string(descriptor.size_bytes) + " bytes; expected " +
                        std::to_string(sizeof(BaseDescriptor)) + " to " + std::to_string(known),
                    std::string("pass the descriptor that layers.def states for ") +
                        GetLayerTypeName(layer.type) + ", of headers not newer than the library");
  }
  try {
    layer.descriptor = CopyOperatorDescriptor(layer.type, descriptor);
  } catch (const std::invalid_argument& exception) {
    ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor, "its descriptor cannot be read",
                    exception.what(), "make the descriptor with CustomLayer");
  }
}

void SetOperatorOutputs(Layer& layer, const std::vector<const TensorInfo*>& inputs,
                        const std::vector<OutputType>& stated) {
  layer.outputs = InferOutputs(layer, OperatorInputs(layer, inputs), stated);
  if (stated.size() > layer.outputs.size()) {
    ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor,
                    "types are stated for outputs that it does not have",
                    "found " + std::to_string(stated.size()) + "; expected at most " +
                        std::to_string(layer.outputs.size()),
                    "state at most one type for each output");
  }
  for (const TensorInfo& output : layer.outputs) CheckTensor(layer, output, "the output");
}

void CheckConstantData(const Layer& layer, const TensorInfo& info, const void* data) {
  if (data == nullptr && info.GetSizeBytes() != 0) {
    ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor, "it has no data",
                    "found null; expected " + std::to_string(info.GetSizeBytes()) + " bytes of " +
                        DescribeTensor(info),
                    "give the data, for example with CopyConstantData");
  }
  const std::uint32_t alignment = GetDataTypeSizeBytes(info.data_type);
  if (reinterpret_cast<std::uintptr_t>(data) % alignment == 0) return;
  ThrowLayerError(layer, DiagnosticCode::kInvalidDescriptor, "its data is not aligned",
                  "found an address that is not a multiple of " + std::to_string(alignment) +
                      "; expected data aligned for " + GetDataTypeName(info.data_type),
                  "copy the data with CopyConstantData");
}

}  // namespace backplane
