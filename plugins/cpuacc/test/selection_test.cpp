#include "cpu_layers/refusal.hpp"
#include "simd/simd.hpp"
#include "test/run_on_cpuacc.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/arg_min_max.hpp>
#include <backplane/api/descriptors/top_k.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::CandidateList;
using cpuacc::InstructionSet;
using cpuacc::LineFunctions;
using cpuacc::Panel;
using cpuacc::Preference;
using cpuacc::SelectionFunctions;
using cpuacc::SimdFunctions;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Few numbers, so that most are there several times; NaN as often as `nan_weight` says.
std::vector<float> MakeTies(std::int64_t count, Random& random, std::int64_t nan_weight) {
  constexpr float kNumbers[] = {0.0F, -0.0F, 1.0F, -1.0F, kInfinity, -kInfinity, 1.0e-40F, 3.0e38F};
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) {
    const std::int64_t choice = random.Integer(0, 7 + nan_weight);
    number = choice < 8 ? kNumbers[choice] : (choice % 2 == 0 ? kNaN : -kNaN);
  }
  return numbers;
}

StoredTensor Store(const std::vector<float>& numbers, const TensorShape& shape) {
  StoredTensor stored{TensorInfo(shape, DataType::kFloat32)};
  if (!numbers.empty()) std::memcpy(stored.bytes.data(), numbers.data(), stored.bytes.size());
  return stored;
}

/// Bytes make integers with many ties where they are few, and with none in 64 bits.
StoredTensor MakeContent(const TensorInfo& info, Random& random) {
  if (info.data_type == DataType::kFloat32) {
    return Store(MakeTies(info.shape.GetNumElements(), random, random.Integer(0, 2)), info.shape);
  }
  StoredTensor stored{info};
  for (unsigned char& byte : stored.bytes) {
    byte = static_cast<unsigned char>(random.Integer(0, 255));
  }
  return stored;
}

template <typename Descriptor>
void ExpectAsCpuRefToTheBit(LayerType type, const Descriptor& descriptor, const StoredTensor& input,
                            const std::vector<TensorInfo>& outputs) {
  const std::vector<StoredTensor> expected = RunStoredForAll(type, descriptor, {input}, outputs);
  TestLayer layer(type, descriptor, {input.info}, outputs[0]);
  layer.outputs = outputs;
  ASSERT_EQ(GetCpuAccRefusal(layer), "");
  for (const int num_threads : {1, 3}) {
    const std::vector<StoredTensor> found = RunOnCpuAcc(layer, {input}, {num_threads});
    for (std::size_t output = 0; output < outputs.size(); ++output) {
      EXPECT_EQ(found[output].bytes, expected[output].bytes)
          << "output " << output << ", " << num_threads << " threads";
    }
  }
}

void ExpectTopK(const StoredTensor& input, std::uint32_t axis, std::int64_t k) {
  for (const std::uint32_t largest : {0U, 1U}) {
    SCOPED_TRACE("k " + std::to_string(k) + ", largest " + std::to_string(largest));
    TopKDescriptor descriptor;
    descriptor.largest = largest;
    descriptor.axis = axis;
    descriptor.k = k;
    TensorShape shape = input.info.shape;
    shape[axis] = k;
    ExpectAsCpuRefToTheBit(
        LayerType::kTopK, descriptor, input,
        {TensorInfo(shape, input.info.data_type), TensorInfo(shape, DataType::kInt64)});
  }
}

void ExpectArgMinMax(const StoredTensor& input, std::uint32_t axis) {
  for (const auto operation : {ArgOperation::kMinimum, ArgOperation::kMaximum}) {
    for (const std::uint32_t select_last : {0U, 1U}) {
      SCOPED_TRACE("operation " + std::to_string(static_cast<int>(operation)) + ", last " +
                   std::to_string(select_last));
      ArgMinMaxDescriptor descriptor;
      descriptor.operation = operation;
      descriptor.axis = axis;
      descriptor.keep_dims = 1;
      descriptor.select_last = select_last;
      TensorShape shape = input.info.shape;
      shape[axis] = 1;
      ExpectAsCpuRefToTheBit(LayerType::kArgMinMax, descriptor, input,
                             {TensorInfo(shape, DataType::kInt64)});
    }
  }
}

/// Lines of one element to several vectors and rounds of selection, alone, next to each other in
/// fewer and more than a block has, and none at all.
const std::vector<TensorShape> kSelectionShapes = {
    {1},         {5000},     {70, 1},    {3, 64},     {130, 65},
    {2, 333},    {1000, 3},  {3, 65, 2}, {2, 90, 17}, {1, 700, 5},
    {3, 20, 70}, {2, 1, 40}, {0, 4},     {4, 0},      {3, 200, 129}};

std::string Describe(const StoredTensor& input, std::uint32_t axis) {
  return std::string(GetDataTypeName(input.info.data_type)) + ' ' +
         cpu_layers::DescribeShape(input.info.shape) + " along " + std::to_string(axis);
}

TEST(Selection, TakesTheBestWithTiesNaNAndInfinitiesAlongEveryAxis) {
  Random random(1);
  for (const DataType type : {DataType::kFloat32, DataType::kInt32, DataType::kInt64,
                              DataType::kInt8, DataType::kUInt8}) {
    for (const TensorShape& shape : kSelectionShapes) {
      const StoredTensor input = MakeContent(TensorInfo(shape, type), random);
      for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
        SCOPED_TRACE(Describe(input, axis));
        const std::int64_t extent = shape[axis];
        for (const std::int64_t k : std::set<std::int64_t>{0, 1, 16, 17, extent}) {
          if (k <= extent) ExpectTopK(input, axis, k);
        }
      }
    }
  }
}

/// Large enough for several threads: lines, columns, and rows that become columns.
TEST(Selection, IsTheSameWithSeveralThreads) {
  Random random(1);
  for (const TensorShape& shape : {TensorShape{3, 257, 190}, {950, 160}}) {
    const StoredTensor input = MakeContent(TensorInfo(shape, DataType::kFloat32), random);
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      SCOPED_TRACE(Describe(input, axis));
      for (const std::int64_t k : {3, 30}) {
        if (k <= shape[axis]) ExpectTopK(input, axis, k);
      }
      ExpectArgMinMax(input, axis);
    }
  }
}

TEST(Selection, TakesTheBestOfElementsInOrder) {
  std::vector<float> numbers(20000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  for (const bool is_reversed : {false, true}) {
    if (is_reversed) std::reverse(numbers.begin(), numbers.end());
    for (const std::int64_t k : {1, 100}) ExpectTopK(Store(numbers, {20000}), 0, k);
  }
}

TEST(Selection, RefusesAxesThatAreTooLong) {
  TopKDescriptor descriptor;
  descriptor.k = 1;
  TestLayer layer(LayerType::kTopK, descriptor,
                  {TensorInfo({std::int64_t{1} << 32}, DataType::kInt8)},
                  TensorInfo({1}, DataType::kInt8));
  layer.outputs.push_back(TensorInfo({1}, DataType::kInt64));
  EXPECT_EQ(GetCpuAccRefusal(layer),
            "axis 0 of input 0 has extent 4294967296, but only 4294967295 and less are supported");
}

TEST(Selection, FindsExtremesWithTiesNaNAndInfinitiesAlongEveryAxis) {
  Random random(1);
  for (const TensorShape& shape : kSelectionShapes) {
    const StoredTensor input = MakeContent(TensorInfo(shape, DataType::kFloat32), random);
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      SCOPED_TRACE(Describe(input, axis));
      if (shape[axis] > 0) ExpectArgMinMax(input, axis);
    }
  }
}

/// The functions of each instruction set that this processor has.
class SelectionFunctionsOf : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (functions_ == nullptr) GTEST_SKIP() << "this processor does not have it";
  }

  const SimdFunctions* functions_ = cpuacc::FindSimdFunctions(GetParam());
};

bool IsGreaterOrNaN(float a, float b) {
  return a > b || (a != a && b == b);
}

TEST_P(SelectionFunctionsOf, FindTheFirstGreatestRow) {
  Random random(1);
  for (const std::int64_t num_rows : {1, 2, 20, 70001}) {
    for (const std::int64_t width : {1, 3, 4, 15, 16, 19, 64}) {
      const std::int64_t step = width + 1;
      std::vector<float> x = MakeTies(num_rows * step, random, random.Integer(0, 1));
      if (num_rows > 20) std::fill(x.begin(), x.end() - 2 * step, -1.0F);
      for (const float sign : {1.0F, -1.0F}) {
        std::vector<std::int64_t> found(static_cast<std::size_t>(width), -1);
        functions_->rows.find_greatest(x.data(), {num_rows, step, width}, sign, found.data());
        for (std::int64_t column = 0; column < width; ++column) {
          std::int64_t best = 0;
          const auto at = [&](std::int64_t row) {
            return sign * x[static_cast<std::size_t>(row * step + column)];
          };
          for (std::int64_t row = 1; row < num_rows; ++row) {
            if (IsGreaterOrNaN(at(row), at(best))) best = row;
          }
          EXPECT_EQ(found[static_cast<std::size_t>(column)], best)
              << num_rows << " rows, column " << column << " of " << width << ", sign " << sign;
        }
      }
    }
  }
}

TEST_P(SelectionFunctionsOf, FindTheFirstAndTheLastElement) {
  for (const float value : {2.0F, kNaN}) {
    for (const std::int64_t count : {1, 2, 63, 64, 65, 200}) {
      for (std::int64_t first = 0; first < count; first += 13) {
        std::vector<float> x(static_cast<std::size_t>(count), 1.0F);
        x[static_cast<std::size_t>(first)] = value;
        x[static_cast<std::size_t>((first + count - 1) / 2)] = value;
        const auto is_value = [&](float element) {
          return element == value || (element != element && value != value);
        };
        const auto expected = std::find_if(x.begin(), x.end(), is_value) - x.begin();
        const auto last = x.rend() - std::find_if(x.rbegin(), x.rend(), is_value) - 1;
        EXPECT_EQ(functions_->rows.find_first(x.data(), count, value), expected);
        EXPECT_EQ(functions_->rows.find_last(x.data(), count, value), last);
      }
    }
  }
}

/// Candidates of the first 40 elements, and of those behind that are better than the 40th.
template <typename Number, typename Element>
void ExpectCandidates(const LineFunctions<Number>& functions, const std::vector<Element>& line,
                      const std::function<bool(Element, Element)>& is_greater) {
  const auto count = static_cast<std::int64_t>(line.size());
  for (const auto preference : {Preference::kSmallest, Preference::kLargest}) {
    std::vector<Number> candidates(line.size() + SelectionFunctions::kMostAtOnce);
    CandidateList<Number> list = {candidates.data(), 0,
                                  static_cast<std::int64_t>(candidates.size())};
    functions.collect_first(line.data(), 40, preference, list);
    list.threshold = candidates[39];
    EXPECT_EQ(functions.collect_better(line.data(), 40, count, preference, list), count);
    const auto is_better = [&](std::int64_t a, std::int64_t b) {
      const Element x = line[static_cast<std::size_t>(a)];
      const Element y = line[static_cast<std::size_t>(b)];
      return preference == Preference::kLargest ? is_greater(x, y) : is_greater(y, x);
    };
    std::vector<std::int64_t> expected;
    for (std::int64_t i = 0; i < count; ++i) {
      if (i < 40 || is_better(i, 39)) expected.push_back(i);
    }
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < list.count; ++i) {
      found.push_back(SelectionFunctions::GetIndex(candidates[static_cast<std::size_t>(i)]));
    }
    EXPECT_EQ(found, expected);
    std::stable_sort(expected.begin(), expected.end(), is_better);
    std::sort(candidates.data(), candidates.data() + list.count, std::greater<>());
    std::transform(candidates.data(), candidates.data() + list.count, found.begin(),
                   [](Number candidate) { return SelectionFunctions::GetIndex(candidate); });
    EXPECT_EQ(found, expected);
  }
}

template <typename Integer, typename Number>
void ExpectIntegerCandidates(const LineFunctions<Number>& functions, Random& random) {
  std::vector<Integer> line(200);
  for (Integer& element : line) {
    const Integer extremes[] = {std::numeric_limits<Integer>::min(),
                                std::numeric_limits<Integer>::max()};
    const std::int64_t choice = random.Integer(0, 20);
    element = choice < 2 ? extremes[choice] : static_cast<Integer>(choice - 10);
  }
  ExpectCandidates<Number, Integer>(functions, line, std::greater<>());
}

TEST_P(SelectionFunctionsOf, CollectCandidatesInTheOrderOfElements) {
  const SelectionFunctions& selection = functions_->selection;
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    ExpectCandidates<cpuacc::Candidate, float>(
        selection.of_float32, MakeTies(200 + round, random, round % 2), &IsGreaterOrNaN);
    ExpectIntegerCandidates<std::int32_t>(selection.of_int32, random);
    ExpectIntegerCandidates<std::int64_t>(selection.of_int64, random);
    ExpectIntegerCandidates<std::uint8_t>(selection.of_uint8, random);
    ExpectIntegerCandidates<std::int8_t>(selection.of_int8, random);
  }
}

TEST_P(SelectionFunctionsOf, StopCollectingWhereThereIsNoRoom) {
  std::vector<float> line(200);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = static_cast<float>(i);
  std::vector<cpuacc::Candidate> candidates(80);
  CandidateList<cpuacc::Candidate> list = {candidates.data(), 0, 80};
  functions_->selection.of_float32.collect_first(line.data(), 1, Preference::kLargest, list);
  list.threshold = candidates[0];
  EXPECT_EQ(functions_->selection.of_float32.collect_better(line.data(), 1, 200,
                                                            Preference::kLargest, list),
            65);
  EXPECT_EQ(list.count, 65);
}

TEST_P(SelectionFunctionsOf, SelectTheBestOfColumns) {
  const SelectionFunctions& selection = functions_->selection;
  const auto select =
      selection.select_columns[static_cast<std::size_t>(cpuacc::NumberType::kFloat32)];
  Random random(1);
  for (const std::int64_t width : {1, 3, 16, 21, 64}) {
    for (const std::int64_t k : {1, 2, 16}) {
      const std::int64_t num_rows = k + random.Integer(0, 100);
      const std::vector<float> x = MakeTies(num_rows * (width + 1), random, width % 2);
      std::vector<std::int32_t> found(static_cast<std::size_t>(width * k));
      for (const auto preference : {Preference::kSmallest, Preference::kLargest}) {
        select(x.data(), {num_rows, width + 1, width}, preference, k, found.data());
        for (std::int64_t column = 0; column < width; ++column) {
          const auto at = [&](std::int64_t row) {
            return x[static_cast<std::size_t>(row * (width + 1) + column)];
          };
          std::vector<std::int64_t> expected(static_cast<std::size_t>(num_rows));
          std::iota(expected.begin(), expected.end(), 0);
          std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
            return preference == Preference::kLargest ? IsGreaterOrNaN(at(a), at(b))
                                                      : IsGreaterOrNaN(at(b), at(a));
          });
          for (std::int64_t level = 0; level < k; ++level) {
            EXPECT_EQ(found[static_cast<std::size_t>(level * width + column)],
                      expected[static_cast<std::size_t>(level)])
                << num_rows << " rows, column " << column << " of " << width << ", level " << level;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CpuAcc, SelectionFunctionsOf,
                         testing::Values(InstructionSet::kBaseline, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
