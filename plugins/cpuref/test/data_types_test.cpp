#include "test/count_allocations.hpp"
#include "test/every_layer.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuref_test {
namespace {

enum class Scales { kNone, kPerTensor, kPerAxis };

bool IsQuantizable(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUInt8 || type == DataType::kInt16 ||
         type == DataType::kUInt16 || type == DataType::kInt32;
}

bool TakesPlain(PlainTypes types, DataType type) {
  switch (types) {
    case PlainTypes::kAll:
      return true;
    case PlainTypes::kNumbers:
      return type != DataType::kBool;
    case PlainTypes::kFloats:
      return IsFloat(type);
    case PlainTypes::kIntegers:
      return type != DataType::kBool && !IsFloat(type);
    case PlainTypes::kBool:
      return type == DataType::kBool;
    case PlainTypes::kFloat32:
      return type == DataType::kFloat32;
    case PlainTypes::kBytes:
      return type == DataType::kInt8 || type == DataType::kUInt8;
    case PlainTypes::kQuantisable:
      return IsQuantizable(type);
    case PlainTypes::kUpTo32Bits:
      return type != DataType::kBool && (IsFloat(type) || GetDataTypeSizeBytes(type) <= 4);
    case PlainTypes::kNone:
      return false;
  }
  return false;
}

/// What CpuRef must answer.
bool IsSupported(const LayerTraits& traits, DataType type, Scales scales) {
  if (scales == Scales::kNone) return TakesPlain(traits.plain, type);
  if (traits.quantised == QuantisedTypes::kMoved) return true;
  return traits.quantised == QuantisedTypes::kCalculated && IsQuantizable(type);
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

/// Makes the types of all tensors. What is only moved means the same everywhere.
class TypeMaker {
 public:
  TypeMaker(const LayerTraits& traits, DataType type, Scales scales, Random& random)
      : type_(type),
        scales_(scales),
        random_(random),
        is_moved_(traits.quantised == QuantisedTypes::kMoved) {}

  std::vector<TensorInfo> Make(const std::vector<TensorShape>& shapes,
                               const std::vector<OwnTensor>& own_tensors) {
    std::vector<TensorInfo> infos;
    for (std::size_t index = 0; index < shapes.size(); ++index) {
      const OwnTensor* own = FindOwn(own_tensors, index);
      infos.push_back(own != nullptr ? MakeOwn(shapes[index], *own) : MakeValue(shapes[index]));
    }
    return infos;
  }

 private:
  static TensorInfo MakeOwn(const TensorShape& shape, const OwnTensor& own) {
    TensorInfo info(shape, own.data_type);
    info.quantization = own.quantization;
    return info;
  }

  TensorInfo MakeValue(const TensorShape& shape) {
    TensorInfo info = MakeInfo(shape, type_, scales_, random_);
    if (!is_moved_) return info;
    if (!is_first_made_) moved_ = info.quantization;
    is_first_made_ = true;
    info.quantization = moved_;
    return info;
  }

  const DataType type_;
  const Scales scales_;
  Random& random_;
  const bool is_moved_;
  bool is_first_made_ = false;
  QuantizationInfo moved_;
};

TestLayer MakeLayer(const LayerCase& layer, const LayerTraits& traits, DataType type, Scales scales,
                    Random& random) {
  TestLayer made(layer.type, *layer.descriptor, {}, {});
  TypeMaker types(traits, type, scales, random);
  made.outputs = types.Make(layer.outputs, layer.own_outputs);
  made.inputs = types.Make(layer.inputs, layer.own_inputs);
  return made;
}

/// Expects the outputs to be what the oracle says in these numbers.
template <typename Number, typename Function>
void ExpectMeans(const Function& evaluate, const LayerCase& layer,
                 const std::vector<StoredTensor>& inputs,
                 const std::vector<StoredTensor>& outputs) {
  Operands<Number> operands;
  for (const StoredTensor& input : inputs) operands.push_back(Decode<Number>(input));
  for (std::size_t output = 0; output < outputs.size(); ++output) {
    SCOPED_TRACE("output " + std::to_string(output));
    ExpectStored(outputs[output], evaluate(layer, operands, output));
  }
}

void ExpectAsOracle(const Oracle& oracle, const LayerCase& layer, DataType type, Scales scales,
                    const std::vector<StoredTensor>& inputs,
                    const std::vector<StoredTensor>& outputs) {
  if (IsFloat(type) || scales != Scales::kNone) {
    ExpectMeans<long double>(oracle.evaluate_reals, layer, inputs, outputs);
  } else if (oracle.get_traits(layer).integers == IntegerResults::kWrap) {
    ExpectMeans<Ring>(oracle.evaluate_ring, layer, inputs, outputs);
  } else {
    ExpectMeans<Wide>(oracle.evaluate_wide, layer, inputs, outputs);
  }
}

/// Makes and runs the layer on random tensors. The run must not allocate.
void ExpectComputes(const Oracle& oracle, const LayerCase& layer, const TestLayer& made,
                    DataType type, Scales scales, Random& random) {
  std::vector<StoredTensor> inputs = MakeInputs(layer, made, random);
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
  ExpectAsOracle(oracle, layer, type, scales, inputs, outputs);
}

/// Only some types are quantised, and a layer may lose the axis of the scales.
bool HasMeaning(const LayerTraits& traits, DataType type, Scales scales) {
  if (scales == Scales::kNone) return true;
  if (!IsQuantizable(type)) return traits.quantised != QuantisedTypes::kMoved;
  return scales != Scales::kPerAxis || traits.keeps_axes;
}

void ExpectTakesWhatItSays(const Oracle& oracle, const LayerCase& layer, DataType type,
                           Scales scales, Random& random) {
  const LayerTraits traits = oracle.get_traits(layer);
  if (!HasMeaning(traits, type, scales)) return;
  const TestLayer made = MakeLayer(layer, traits, type, scales, random);
  const bool is_supported = IsSupported(traits, type, scales);
  EXPECT_EQ(GetRefusal(made).empty(), is_supported) << GetRefusal(made);
  if (is_supported && GetRefusal(made).empty()) {
    ExpectComputes(oracle, layer, made, type, scales, random);
  } else if (!is_supported) {
    EXPECT_THROW(MakeWorkload(made), std::invalid_argument);
  }
}

class DataTypes : public testing::TestWithParam<std::size_t> {};

TEST_P(DataTypes, OfALayerAreTakenAsItSaysAndComputedRight) {
  const Oracle oracle = kOracles[GetParam()]();
  for (const DataType type : kDataTypes) {
    for (const Scales scales : {Scales::kNone, Scales::kPerTensor, Scales::kPerAxis}) {
      Random random(static_cast<std::uint32_t>(oracle.type) * 100 +
                    static_cast<std::uint32_t>(type));
      for (int round = 0; round < 6; ++round) {
        const std::vector<LayerCase> cases = oracle.make_cases(random);
        ASSERT_FALSE(cases.empty());
        for (std::size_t index = 0; index < cases.size(); ++index) {
          SCOPED_TRACE(std::string(GetDataTypeName(type)) + ", scales " +
                       std::to_string(static_cast<int>(scales)) + ", round " +
                       std::to_string(round) + ", case " + std::to_string(index));
          ExpectTakesWhatItSays(oracle, cases[index], type, scales, random);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLayer, DataTypes, testing::Range<std::size_t>(0, std::size(kOracles)),
                         NameOfOracle);

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
