// Products of bytes whose zero points are known only in the run, and what quantises for them.

#include "cpu_layers/refusal.hpp"
#include "simd/simd.hpp"
#include "test/network_case.hpp"

#include <gtest/gtest.h>

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
