#include "test/count_allocations.hpp"
#include "test/random_cases.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuref_test {
namespace {

constexpr DataType kDataTypes[] = {
#define BACKPLANE_DATA_TYPE(name, number, size, text) DataType::k##name,
#include <backplane/api/data_types.def>
#undef BACKPLANE_DATA_TYPE
};

constexpr LayerType kLayers[] = {
#define CPUREF_KERNEL(name) LayerType::k##name,
#include "kernels.def"
#undef CPUREF_KERNEL
};

enum class Scales { kNone, kPerTensor, kPerAxis };

bool MovesValues(LayerType type) {
  return type == LayerType::kConcat || type == LayerType::kCopy || type == LayerType::kReshape ||
         type == LayerType::kSplit;
}

bool IsQuantizable(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUInt8 || type == DataType::kInt16 ||
         type == DataType::kUInt16 || type == DataType::kInt32;
}

bool NeedsReals(const LayerCase& layer) {
  if (layer.type == LayerType::kSoftmax) return true;
  return layer.type == LayerType::kActivation &&
         layer.Get<ActivationDescriptor>().function > ActivationFunction::kBoundedRelu;
}

/// What CpuRef must answer.
bool IsSupported(const LayerCase& layer, DataType type, Scales scales) {
  if (MovesValues(layer.type)) return true;
  if (scales != Scales::kNone) return IsQuantizable(type);
  return IsFloat(type) || (type != DataType::kBool && !NeedsReals(layer));
}

QuantizationInfo MakeQuantization(const TensorShape& shape, DataType type, Scales scales,
                                  Random& random) {
  QuantizationInfo info;
  std::int64_t count = scales == Scales::kNone ? 0 : 1;
  if (scales == Scales::kPerAxis && shape.rank > 0) count = shape[0];
  const bool has_zero_points = random.Integer(0, 1) == 1;
  // The wider the type, the finer its steps.
  const float finest = 8.0F / std::ldexp(1.0F, static_cast<int>(8 * GetDataTypeSizeBytes(type)));
  for (std::int64_t i = 0; i < count; ++i) {
    info.scales.push_back(finest * static_cast<float>(random.Integer(1, 16)) / 5.0F);
    if (has_zero_points) {
      const std::int64_t least = IsSigned(type) ? -60 : 40;
      info.zero_points.push_back(static_cast<std::int32_t>(random.Integer(least, least + 120)));
    }
  }
  return info;
}

TensorInfo MakeInfo(const TensorShape& shape, DataType type, Scales scales, Random& random) {
  TensorInfo info(shape, type);
  info.quantization = MakeQuantization(shape, type, scales, random);
  return info;
}

TestLayer MakeLayer(const LayerCase& layer, DataType type, Scales scales, Random& random) {
  TestLayer made(layer.type, *layer.descriptor, {},
                 MakeInfo(layer.outputs[0], type, scales, random));
  // Only layers that move values have more outputs than one.
  for (std::size_t output = 1; output < layer.outputs.size(); ++output) {
    made.outputs.push_back(made.outputs[0]);
    made.outputs.back().shape = layer.outputs[output];
  }
  for (const TensorShape& shape : layer.inputs) {
    made.inputs.push_back(MakeInfo(shape, type, scales, random));
    // Values that are only moved mean the same everywhere.
    if (MovesValues(layer.type)) made.inputs.back().quantization = made.outputs[0].quantization;
  }
  return made;
}

bool IsRing(const LayerCase& layer) {
  return layer.type == LayerType::kConvolution || layer.type == LayerType::kBatchMatMul ||
         layer.type == LayerType::kFullyConnected ||
         (layer.type == LayerType::kElementwiseBinary &&
          layer.Get<ElementwiseBinaryDescriptor>().operation <= BinaryOperation::kMul);
}

template <typename Number>
void ExpectMeans(const LayerCase& layer, const std::vector<StoredTensor>& inputs,
                 const std::vector<StoredTensor>& outputs) {
  Operands<Number> operands;
  for (const StoredTensor& input : inputs) operands.push_back(Decode<Number>(input));
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    ExpectStored(outputs[output], Evaluate(layer, operands, output));
  }
}

/// The handles of tensors, which must outlive them.
class StoredHandles {
 public:
  explicit StoredHandles(std::vector<StoredTensor>& tensors) {
    for (StoredTensor& tensor : tensors) {
      handles_.push_back(std::make_unique<MemoryHandle>(tensor.info, tensor.bytes.data()));
      pointers_.push_back(handles_.back().get());
    }
  }

  const std::vector<ITensorHandle*>& Get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> pointers_;
};

/// Asks, makes and runs the layer on random tensors. The run must not allocate.
void ExpectComputes(const LayerCase& layer, const TestLayer& made, Random& random) {
  std::vector<StoredTensor> inputs;
  for (const TensorInfo& info : made.inputs) inputs.push_back(MakeRandomTensor(info, random));
  std::vector<StoredTensor> outputs(made.outputs.begin(), made.outputs.end());
  const StoredHandles input_handles(inputs);
  const StoredHandles output_handles(outputs);
  std::unique_ptr<IWorkloadFactory> factory;
  const std::unique_ptr<IWorkload> workload = MakeWorkload(made, &factory);
  const std::unique_ptr<IExecutionState> state = factory->CreateExecutionState();
  const std::int64_t before = CountAllocations();
  const Status status = Execute(*workload, input_handles.Get(), output_handles.Get(), state.get());
  const std::int64_t after = CountAllocations();
  ASSERT_EQ(status, Status::kSuccess);
  EXPECT_EQ(after, before);

  const TensorInfo& info = outputs[0].info;
  if (IsFloat(info.data_type) || info.quantization.IsQuantized()) {
    ExpectMeans<long double>(layer, inputs, outputs);
  } else if (IsRing(layer)) {
    ExpectMeans<Ring>(layer, inputs, outputs);
  } else {
    ExpectMeans<Wide>(layer, inputs, outputs);
  }
}

/// Only some types are quantised, and reshaping one along an axis would lose that axis.
bool HasMeaning(const LayerCase& layer, DataType type, Scales scales) {
  if (scales == Scales::kNone) return true;
  if (!IsQuantizable(type)) return !MovesValues(layer.type);
  return scales != Scales::kPerAxis || layer.type != LayerType::kReshape;
}

TEST(DataTypes, EveryLayerTakesWhatItSaysAndComputesItRight) {
  for (const LayerType type : kLayers) {
    for (const DataType data_type : kDataTypes) {
      for (const Scales scales : {Scales::kNone, Scales::kPerTensor, Scales::kPerAxis}) {
        Random random(static_cast<std::uint32_t>(type) * 100 +
                      static_cast<std::uint32_t>(data_type));
        for (int round = 0; round < 6; ++round) {
          const std::vector<LayerCase> cases = MakeRandomCases(type, random);
          ASSERT_FALSE(cases.empty()) << "no case of " << GetLayerTypeName(type);
          for (const LayerCase& layer : cases) {
            if (!HasMeaning(layer, data_type, scales)) continue;
            SCOPED_TRACE(std::string(GetLayerTypeName(type)) + " " + GetDataTypeName(data_type) +
                         ", scales " + std::to_string(static_cast<int>(scales)) + ", round " +
                         std::to_string(round));
            const TestLayer made = MakeLayer(layer, data_type, scales, random);
            const bool is_supported = IsSupported(layer, data_type, scales);
            EXPECT_EQ(GetRefusal(made).empty(), is_supported) << GetRefusal(made);
            if (is_supported) {
              ExpectComputes(layer, made, random);
            } else {
              EXPECT_THROW(MakeWorkload(made), std::invalid_argument);
            }
            ASSERT_FALSE(HasFailure());
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
