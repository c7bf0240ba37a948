#include "conformance/layer_case.hpp"

namespace backplane {
namespace conformance {
namespace reinterpret {

std::vector<LayerCase> MakeCases(Random& random) {
  const TensorShape shape = random.Shape(3, 1, 5);
  return {MakeCase(LayerType::kReinterpret, NoDescriptor(), {shape}, shape)};
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& /*layer*/, const Operands<Number>& inputs,
                             std::size_t /*output*/) {
  return inputs[0].data;
}

LayerCase Restate(const OwnTensor& from, const OwnTensor& to) {
  return With(MakeCase(LayerType::kReinterpret, NoDescriptor(), {{3}}, {3}), {from}, {to});
}

std::vector<EdgeCase> MakeEdges() {
  const OwnTensor plain = MakeOwn(0, DataType::kInt8);
  const OwnTensor halves = MakeOwn(0, DataType::kInt8, {0.5F});
  const OwnTensor twos = MakeOwn(0, DataType::kInt8, {2.0F});
  const Elements elements = {-128, 0, 127};
  return {{Restate(plain, halves), {elements}, {elements}},
          {Restate(halves, twos), {elements}, {elements}},
          {Restate(halves, plain), {elements}, {elements}}};
}

std::vector<RefusedCase> MakeRefused() {
  const OwnTensor wide = MakeOwn(0, DataType::kInt64);
  const char* const only = " is not supported, only int8, uint8, int16, uint16, int32";
  return {
      {Restate(MakeOwn(0, DataType::kInt8, {0.5F}), MakeOwn(0, DataType::kUInt8, {2.0F})),
       "wrong-data-type", "quantized uint8", "int8",
       "data type int8 of input 0 differs from uint8 of the output; conversions are not "
       "supported"},
      {Restate(wide, wide), "wrong-data-type", "int64 [3]", "int8, uint8, int16, uint16, int32",
       std::string("data type int64 of input 0") + only + "; data type int64 of the output" + only},
  };
}

LayerTraits GetTraits() {
  LayerTraits traits;
  traits.plain = {DataType::kInt8, DataType::kUInt8, DataType::kInt16, DataType::kUInt16,
                  DataType::kInt32};
  traits.quantised = QuantisedTypes::kMoved;
  traits.is_restated = true;
  return traits;
}

}  // namespace reinterpret

// With the same scales before and after; the edges have others.
BACKPLANE_ORACLE(Reinterpret, reinterpret, reinterpret::GetTraits());

}  // namespace conformance
}  // namespace backplane
