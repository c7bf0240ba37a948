// Products of bytes whose zero points are known only in the run, and what quantises for them.

#include "cpu_layers/refusal.hpp"
#include "simd/simd.hpp"
#include "test/passes/pass_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/cast.hpp>

#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

constexpr DataType kByteTypesOfProducts[] = {DataType::kInt8, DataType::kUInt8};

/// How many zero points there are: of the rows, and of the matrix.
struct ZeroPoints {
  bool has_rows = false;
  std::int64_t num_columns = 0;
};

void ExpectIntegerProduct(const TensorShape& rows, std::int64_t columns, DataType a, DataType b,
                          const ZeroPoints& zero_points, bool is_constant) {
  NetworkCase network(static_cast<std::uint32_t>(columns));
  const auto add = [&](const TensorShape& shape, DataType type) {
    const TensorInfo info(shape, type);
    return is_constant ? network.AddConstant(MakeRandomTensor(info, network.GetRandom()))
                       : network.AddInput(info);
  };
  const std::int64_t inner = rows[rows.rank - 1];
  std::vector<TensorId> inputs = {network.AddInput(TensorInfo(rows, a)), add({inner, columns}, b)};
  if (zero_points.has_rows) inputs.push_back(network.AddInput(TensorInfo({}, a)));
  if (zero_points.num_columns == 1) inputs.push_back(add({}, b));
  if (zero_points.num_columns > 1) inputs.push_back(add({columns}, b));
  TensorShape output = rows;
  output[output.rank - 1] = columns;
  network.AddOutput(network.AddLayer(LayerType::kIntegerMatMul, NoDescriptor(), inputs,
                                     {TensorInfo(output, DataType::kInt32)})[0]);
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(IntegerProducts, AreThoseOfCpuRef) {
  const TensorShape kRows[] = {{1, 1}, {3, 5}, {2, 3, 64}, {130, 129}, {2, 0}, {0, 7}, {70, 384}};
  for (const TensorShape& rows : kRows) {
    for (const std::int64_t columns : {1, 7, 16, 33, 200, 0}) {
      for (const DataType a : kByteTypesOfProducts) {
        for (const DataType b : kByteTypesOfProducts) {
          for (const bool is_constant : {false, true}) {
            SCOPED_TRACE(cpu_layers::DescribeShape(rows) + " to " + std::to_string(columns));
            ExpectIntegerProduct(rows, columns, a, b, {}, is_constant);
            ExpectIntegerProduct(rows, columns, a, b, {true, 0}, is_constant);
            ExpectIntegerProduct(rows, columns, a, b, {true, 1}, is_constant);
            ExpectIntegerProduct(rows, columns, a, b, {true, columns}, is_constant);
          }
        }
      }
    }
  }
}

/// Sums that wrap around.
TEST(IntegerProducts, OfLongRowsAreThoseOfCpuRef) {
  ExpectIntegerProduct({2, 140000}, 3, DataType::kUInt8, DataType::kUInt8, {true, 3}, true);
  ExpectIntegerProduct({2, 140000}, 3, DataType::kUInt8, DataType::kInt8, {true, 1}, true);
}

/// Shapes of operands and zero points, of which the last may be missing.
struct MatrixCase {
  std::vector<TensorShape> inputs;
  TensorShape output;
};

const MatrixCase kMatrixCases[] = {
    // Matrices on both sides, as many or repeated.
    {{{2, 3, 5, 7}, {2, 3, 7, 9}, {}, {}}, {2, 3, 5, 9}},
    {{{12, 64, 33}, {12, 33, 65}, {}, {}}, {12, 64, 65}},
    {{{12, 64, 33}, {12, 33, 65}}, {12, 64, 65}},
    {{{3, 1, 5, 7}, {1, 4, 7, 9}, {1}, {1}}, {3, 4, 5, 9}},
    {{{5, 7}, {4, 7, 9}, {}, {}}, {4, 5, 9}},
    {{{2, 1, 3, 5, 7}, {3, 1, 7, 9}, {}}, {2, 3, 3, 5, 9}},
    // Vectors.
    {{{7}, {4, 7, 9}, {}, {}}, {4, 9}},
    {{{7}, {7}, {}, {}}, {}},
    {{{7}, {7, 9}, {1}, {9}}, {9}},
    {{{4, 5, 7}, {7}, {}, {1}}, {4, 5}},
    // Zero points of rows, of columns, and of those of each matrix.
    {{{5, 7}, {7, 9}, {5}, {9}}, {5, 9}},
    {{{5, 7}, {7, 9}, {5, 1}, {1, 9}}, {5, 9}},
    {{{70, 64}, {64, 48}, {70}, {}}, {70, 48}},
    {{{70, 64}, {64, 48}, {70}}, {70, 48}},
    {{{3, 5, 7}, {7, 9}, {5}, {}}, {3, 5, 9}},
    {{{3, 5, 7}, {7, 9}, {3, 5, 1}, {9}}, {3, 5, 9}},
    {{{2, 3, 5, 7}, {2, 3, 7, 9}, {2, 3, 5, 1}, {2, 3, 1, 9}}, {2, 3, 5, 9}},
    {{{2, 1, 5, 7}, {3, 7, 9}, {2, 1, 5, 1}, {3, 1, 9}}, {2, 3, 5, 9}},
    {{{2, 3, 5, 7}, {3, 7, 9}, {5}, {9}}, {2, 3, 5, 9}},
    // Nothing to be added up, and nothing.
    {{{2, 5, 0}, {2, 0, 9}, {}, {}}, {2, 5, 9}},
    {{{2, 0, 7}, {2, 7, 9}, {}, {}}, {2, 0, 9}},
};

/// Constants are all inputs but the rows.
void ExpectMatrices(const MatrixCase& matrices, DataType a, DataType b, bool is_constant,
                    bool is_scaled) {
  NetworkCase network;
  std::vector<TensorId> inputs;
  for (std::size_t i = 0; i < matrices.inputs.size(); ++i) {
    const TensorInfo info(matrices.inputs[i], i % 2 == 0 ? a : b);
    inputs.push_back(is_constant && i > 0
                         ? network.AddConstant(MakeRandomTensor(info, network.GetRandom()))
                         : network.AddInput(info));
  }
  TensorId x = network.AddLayer(LayerType::kIntegerMatMul, NoDescriptor(), inputs,
                                {TensorInfo(matrices.output, DataType::kInt32)})[0];
  if (is_scaled) {
    CastDescriptor cast;
    cast.to = DataType::kFloat32;
    x = network.Add(LayerType::kCast, cast, {x}, matrices.output);
    x = AddBinary(network, BinaryOperation::kMul, x, network.AddInput(Float({})));
    x = AddActivation(network, x, ActivationFunction::kRelu);
  }
  network.AddOutput(x);
  ExpectAsCpuRef(network, Precision::kExact);
}

TEST(IntegerProducts, OfMatricesOnBothSidesAreThoseOfCpuRef) {
  for (const MatrixCase& matrices : kMatrixCases) {
    SCOPED_TRACE(cpu_layers::DescribeShape(matrices.inputs[0]) + " and " +
                 cpu_layers::DescribeShape(matrices.inputs[1]));
    for (const DataType a : kByteTypesOfProducts) {
      for (const DataType b : kByteTypesOfProducts) {
        for (const bool is_constant : {false, true}) {
          ExpectMatrices(matrices, a, b, is_constant, false);
          ExpectMatrices(matrices, a, b, is_constant, true);
        }
      }
    }
  }
}

/// Sums that wrap around before they are numbers, and some that do not fit into float32 before zero
/// points are taken off.
TEST(IntegerProducts, OfLongRowsAreScaledAsByCpuRef) {
  const MatrixCase kLong[] = {{{{6, 1000}, {1000, 300}, {}, {}}, {6, 300}},
                              {{{2, 6, 1000}, {2, 1000, 300}, {}, {}}, {2, 6, 300}},
                              {{{2, 140000}, {140000, 3}, {}, {}}, {2, 3}},
                              {{{2, 2, 140000}, {2, 140000, 3}, {}, {}}, {2, 2, 3}}};
  for (const MatrixCase& matrices : kLong) {
    for (const DataType b : kByteTypesOfProducts) {
      ExpectMatrices(matrices, DataType::kUInt8, b, true, true);
      ExpectMatrices(matrices, DataType::kUInt8, b, false, true);
    }
  }
}

TEST(IntegerProducts, RunWithTheChainBehindThem) {
  NetworkCase network;
  const TensorInfo rows({20, 64}, DataType::kUInt8);
  const TensorInfo matrix({64, 48}, DataType::kInt8);
  CastDescriptor cast;
  cast.to = DataType::kFloat32;
  TensorId x = network.AddLayer(
      LayerType::kIntegerMatMul, NoDescriptor(),
      {network.AddInput(rows), network.AddConstant(MakeRandomTensor(matrix, network.GetRandom())),
       network.AddInput(TensorInfo({}, DataType::kUInt8))},
      {TensorInfo({20, 48}, DataType::kInt32)})[0];
  x = network.Add(LayerType::kCast, cast, {x}, {20, 48});
  x = AddBinary(network, BinaryOperation::kMul, x, network.AddInput(Float({})));
  network.AddOutput(AddBinary(network, BinaryOperation::kAdd, x, network.AddConstant({48})));
  EXPECT_EQ(ListNodes(network), std::vector<std::string>{"IntegerMatMul++"});
}

void ExpectDynamicQuantize(const std::vector<float>& numbers) {
  NetworkCase network;
  const TensorShape shape = {static_cast<std::int64_t>(numbers.size())};
  const TensorId input = network.AddInput(shape);
  for (const TensorId output : network.AddLayer(
           LayerType::kDynamicQuantize, NoDescriptor(), {input},
           {TensorInfo(shape, DataType::kUInt8), Float({}), TensorInfo({}, DataType::kUInt8)})) {
    network.AddOutput(output);
  }
  const std::vector<StoredTensor> inputs = {MakeStored(Float(shape), numbers)};
  const std::vector<StoredTensor> expected = RunOnCpuRef(network.GetGraph(), inputs);
  for (const int num_threads : {1, 2}) {
    cpuacc::Options options;
    options.num_threads = num_threads;
    ExpectSame(RunCompiled(network.GetGraph(), inputs, options), expected, Precision::kExact);
  }
}

TEST(DynamicQuantize, InstructionSetsFindTheSameRange) {
  using cpuacc::InstructionSet;
  for (const auto set :
       {InstructionSet::kBaseline, InstructionSet::kAvx2, InstructionSet::kAvx512}) {
    const cpuacc::SimdFunctions* functions = cpuacc::FindSimdFunctions(set);
    if (functions == nullptr) continue;
    for (std::size_t count = 1; count < 70; ++count) {
      for (const std::size_t place : {std::size_t{0}, count / 2, count - 1}) {
        std::vector<float> numbers(count, std::numeric_limits<float>::quiet_NaN());
        const auto size = static_cast<std::int64_t>(count);
        numbers[place] = -3.5F;
        EXPECT_EQ(functions->conversions.find_range(numbers.data(), size).least, -3.5F);
        EXPECT_EQ(functions->conversions.find_range(numbers.data(), size).greatest, 0.0F);
        numbers[place] = 4.25F;
        EXPECT_EQ(functions->conversions.find_range(numbers.data(), size).greatest, 4.25F);
      }
    }
  }
}

TEST(DynamicQuantize, FindsTheRangeOfAllNumbers) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
  constexpr float kMost = std::numeric_limits<float>::max();
  for (const std::size_t count : {0, 1, 3, 17, 100, 300001}) {
    Random random(static_cast<std::uint32_t>(count + 1));
    std::vector<float> numbers;
    for (std::size_t i = 0; i < count; ++i) {
      numbers.push_back(static_cast<float>(random.Integer(-3000, 9000)) / 777.0F);
    }
    ExpectDynamicQuantize(numbers);
    for (const float last :
         {-50.0F, 77.0F, 1e-41F, kMost, -kMost, kNotANumber, kInfinite, -kInfinite}) {
      if (numbers.empty()) continue;
      numbers.back() = last;
      ExpectDynamicQuantize(numbers);
      numbers.front() = -last;
      ExpectDynamicQuantize(numbers);
    }
  }
  ExpectDynamicQuantize({0.0F, 0.0F, -0.0F});
  ExpectDynamicQuantize({kNotANumber, kNotANumber});
  ExpectDynamicQuantize({-5.0F, -2.0F});
  ExpectDynamicQuantize({1e-45F, 0.0F});
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
