#include "operators/plain_layer.hpp"

#include <cstring>

namespace backplane {
namespace {

const Types kNone = {};
const Types kAll = {
#define BACKPLANE_DATA_TYPE(name, number, size, text) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};
const Types kFloats = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                       DataType::kFloat64};
const Types kIntegers = {DataType::kInt8,  DataType::kUInt8,  DataType::kInt16, DataType::kUInt16,
                         DataType::kInt32, DataType::kUInt32, DataType::kInt64, DataType::kUInt64};
const Types kNumbers = {DataType::kFloat32, DataType::kFloat16, DataType::kBFloat16,
                        DataType::kFloat64, DataType::kInt8,    DataType::kUInt8,
                        DataType::kInt16,   DataType::kUInt16,  DataType::kInt32,
                        DataType::kUInt32,  DataType::kInt64,   DataType::kUInt64};
const Types kBytes = {DataType::kInt8, DataType::kUInt8};
const Types kQuantizable = {DataType::kInt8, DataType::kUInt8, DataType::kInt16, DataType::kUInt16,
                            DataType::kInt32};

template <typename Descriptor>
std::shared_ptr<BaseDescriptor> Make() {
  return std::make_shared<Descriptor>();
}

template <typename Descriptor, typename Function>
std::shared_ptr<BaseDescriptor> Make(const Function& set) {
  auto descriptor = std::make_shared<Descriptor>();
  set(*descriptor);
  return descriptor;
}

}  // namespace

TensorInfo PlainLayer::Infer(DataType values, const QuantizationInfo& quantization,
                             const std::vector<OutputType>& stated) const {
  auto network = INetwork::Create("net");
  std::vector<OutputSlot> slots;
  for (const PlainInput& input : inputs) {
    const bool is_value = input.own_type == DataType::kUndefined;
    TensorInfo info(input.shape, is_value ? values : input.own_type);
    if (is_value) info.quantization = quantization;
    slots.push_back(network->AddInputLayer(info, "in" + std::to_string(slots.size())));
  }
  const LayerId layer = network->AddOperatorLayer(type, *descriptor, slots, "layer", stated);
  return network->GetTensorInfo({layer, 0});
}

std::vector<PlainLayer> MakePlainLayers() {
  return {
#include "operators/plain_layers.def"
  };
}

}  // namespace backplane
