#include "conformance/limits.hpp"
#include "conformance/random_operands.hpp"

#include <backplane/api/descriptors/comparison.hpp>

namespace backplane {
namespace conformance {
namespace comparison {

std::vector<LayerCase> MakeCases(Random& random) {
  std::vector<LayerCase> cases = MakeCaseOfEach<ComparisonDescriptor>(
      LayerType::kComparison, ComparisonOperation::kLessOrEqual, random);
  for (LayerCase& layer : cases) layer.own_outputs = {{0, DataType::kBool}};
  return cases;
}

LayerTraits GetTraits(const LayerCase& layer) {
  const ComparisonOperation operation = layer.Get<ComparisonDescriptor>().operation;
  const bool is_equality =
      operation == ComparisonOperation::kEqual || operation == ComparisonOperation::kNotEqual;
  return {is_equality ? PlainTypes::kAll : PlainTypes::kNumbers, QuantisedTypes::kCalculated};
}

template <typename Number>
bool Compare(ComparisonOperation operation, Number a, Number b) {
  switch (operation) {
    case ComparisonOperation::kEqual:
      return a == b;
    case ComparisonOperation::kNotEqual:
      return a != b;
    case ComparisonOperation::kGreater:
      return a > b;
    case ComparisonOperation::kGreaterOrEqual:
      return a > b || a == b;
    case ComparisonOperation::kLess:
      return b > a;
    case ComparisonOperation::kLessOrEqual:
      return b > a || a == b;
  }
  return false;
}

template <typename Number>
std::vector<Number> Evaluate(const LayerCase& layer, const Operands<Number>& inputs,
                             std::size_t output) {
  const ComparisonOperation operation = layer.Get<ComparisonDescriptor>().operation;
  return EvaluatePairs<Number>(layer, inputs, output, [operation](Number a, Number b) {
    return Compare(operation, a, b) ? 1 : 0;
  });
}

LayerCase Describe(ComparisonOperation operation, DataType type, const TensorShape& a,
                   const TensorShape& b, const TensorShape& output) {
  ComparisonDescriptor descriptor;
  descriptor.operation = operation;
  return As(type, With(MakeCase(LayerType::kComparison, descriptor, {a, b}, output), {},
                       {MakeOwn(0, DataType::kBool)}));
}

/// The results of each operation in turn, from Equal to LessOrEqual or as far as there are any.
void AddEach(DataType type, const Elements& a, const Elements& b,
             const std::vector<Elements>& expected, std::vector<EdgeCase>& edges) {
  const TensorShape shape = {static_cast<std::int64_t>(a.size())};
  for (std::uint32_t operation = 1; operation <= expected.size(); ++operation) {
    edges.push_back({Describe(ComparisonOperation{operation}, type, shape, shape, shape),
                     {a, b},
                     {expected[operation - 1]}});
  }
}

std::vector<EdgeCase> MakeEdges() {
  constexpr DataType kFloat32 = DataType::kFloat32;
  constexpr auto kLess = ComparisonOperation::kLess;
  std::vector<EdgeCase> edges = {
      {Describe(kLess, kFloat32, {2, 1}, {3}, {2, 3})},
      {Describe(kLess, kFloat32, {2, 1, 4}, {3, 1}, {2, 3, 4})},
      {Describe(kLess, kFloat32, {}, {}, {}), {{1}, {2}}, {{1}}},
      {Describe(kLess, kFloat32, {0, 3}, {1, 3}, {0, 3}), {{}, {1, 2, 3}}, {{}}},
  };
  AddEach(kFloat32, {1, 2, 3, -0.0L, kInfinity, -kInfinity}, {2, 2, 2, 0, kInfinity, kInfinity},
          {{0, 1, 0, 1, 1, 0},
           {1, 0, 1, 0, 0, 1},
           {0, 0, 1, 0, 0, 0},
           {0, 1, 1, 1, 1, 0},
           {1, 0, 0, 0, 0, 1},
           {1, 1, 0, 1, 1, 1}},
          edges);
  AddEach(kFloat32, {kNaN, kNaN, 1}, {kNaN, 1, kNaN},
          {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, edges);
  AddEach(DataType::kInt64, {-1, kMost}, {1, kMost - 1},
          {{0, 0}, {1, 1}, {0, 1}, {0, 1}, {1, 0}, {1, 0}}, edges);
  AddEach(DataType::kUInt64, {0xffffffffffffffffU, 5}, {1, 5},
          {{0, 1}, {1, 0}, {1, 0}, {1, 1}, {0, 0}, {0, 1}}, edges);
  AddEach(DataType::kUInt8, {200}, {100}, {{0}, {1}, {1}, {1}, {0}, {0}}, edges);
  // Every byte but zero is the same true.
  AddEach(DataType::kBool, {0, 0, 1, 2}, {0, 1, 255, 0}, {{1, 0, 1, 0}, {0, 1, 0, 1}}, edges);
  // Quantised elements are compared by what they mean.
  const std::size_t first = edges.size();
  AddEach(DataType::kInt8, {2, 2, -2}, {14, 15, 0},
          {{1, 0, 0}, {0, 1, 1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 0}, {1, 1, 0}}, edges);
  for (std::size_t i = first; i < edges.size(); ++i) {
    edges[i].layer.own_inputs = {MakeScaled(0, 0, 1), MakeOwn(1, DataType::kUInt8, {0.25F}, {10})};
  }
  return edges;
}

std::vector<RefusedCase> MakeRefused() {
  constexpr auto kEqual = ComparisonOperation::kEqual;
  const LayerCase equal = Describe(kEqual, DataType::kFloat32, {2}, {2}, {2});
  std::vector<RefusedCase> refused = {
      {With(As(DataType::kBool, equal), {MakeOwn(1, DataType::kUInt8)}), "wrong-data-type",
       "uint8 [2] as input 1", "bool, the type of input 0",
       "data type uint8 of input 1 is not supported, only bool"},
      {With(equal, {}), "", "", "", "data type float32 of the output is not supported, only bool"},
      {Describe(ComparisonOperation{7}, DataType::kInt32, {2}, {2}, {2}), "invalid-descriptor",
       "number 7", "LessOrEqual",
       "comparison 7 is not supported, only 1 (Equal) to 6 (LessOrEqual)"},
      {Describe(kEqual, DataType::kFloat32, {2, 3}, {2}, {2, 3}), "wrong-shape", "[2, 3] and [2]",
       "equal or 1", "the shapes [2, 3] of input 0 and [2] of input 1 do not broadcast"},
      {With(equal, {MakeOwn(1, DataType::kInt32)}, {MakeOwn(0, DataType::kBool)}),
       "wrong-data-type", "int32 [2] as input 1", "float32, the type of input 0",
       "data type int32 of input 1 differs from float32 of input 0"},
  };
  // Only equality is defined of bool.
  for (std::uint32_t number = 3; number <= 6; ++number) {
    refused.push_back({Describe(ComparisonOperation{number}, DataType::kBool, {2}, {2}, {2}),
                       "wrong-data-type", "bool [2]", "int64, uint64",
                       std::string("data type bool of input 0") + kOnlyNumbers +
                           "; data type bool of input 1" + kOnlyNumbers});
  }
  return refused;
}

}  // namespace comparison

BACKPLANE_ORACLE(Comparison, comparison, comparison::GetTraits(layer));

}  // namespace conformance
}  // namespace backplane
