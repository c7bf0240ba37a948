#include "test/run_stored.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/logical_binary.hpp>
#include <backplane/api/layer_type.hpp>

namespace backplane {
namespace cpuref_test {
namespace {

using Bools = std::vector<std::uint8_t>;

Bools CombineLogicalBinary(LogicalOperation operation, const StoredTensor& a, const StoredTensor& b,
                           const TensorShape& output) {
  LogicalBinaryDescriptor descriptor;
  descriptor.operation = operation;
  return GetStored<std::uint8_t>(RunStored(LayerType::kLogicalBinary, descriptor, {a, b},
                                           TensorInfo(output, DataType::kBool)));
}

TEST(LogicalBinary, EveryByteButZeroIsTrue) {
  const StoredTensor a = MakeStored<std::uint8_t>(DataType::kBool, {0, 0, 1, 2, 4});
  const StoredTensor b = MakeStored<std::uint8_t>(DataType::kBool, {0, 1, 0, 1, 2});
  EXPECT_EQ(CombineLogicalBinary(LogicalOperation::kAnd, a, b, {5}), (Bools{0, 0, 0, 1, 1}));
  EXPECT_EQ(CombineLogicalBinary(LogicalOperation::kOr, a, b, {5}), (Bools{0, 1, 1, 1, 1}));
  EXPECT_EQ(CombineLogicalBinary(LogicalOperation::kXor, a, b, {5}), (Bools{0, 1, 1, 0, 0}));
}

TEST(LogicalBinary, BroadcastsOverLongRows) {
  const StoredTensor row(TensorInfo({67}, DataType::kBool));
  const StoredTensor column = MakeStored<std::uint8_t>(TensorInfo({2, 1}, DataType::kBool), {1, 0});
  Bools expected(67, 1);
  expected.resize(134, 0);
  EXPECT_EQ(CombineLogicalBinary(LogicalOperation::kOr, row, column, {2, 67}), expected);
  EXPECT_EQ(CombineLogicalBinary(LogicalOperation::kXor, column, row, {2, 67}), expected);
}

TEST(LogicalBinary, TakesAnEmptyTensor) {
  const StoredTensor empty = MakeStored<std::uint8_t>(DataType::kBool, {});
  EXPECT_TRUE(CombineLogicalBinary(LogicalOperation::kAnd, empty, empty, {0}).empty());
}

TEST(LogicalBinary, RefusesNumbersUnknownOperationsAndShapesThatDoNotBroadcast) {
  LogicalBinaryDescriptor descriptor;
  const TensorInfo boolean({2}, DataType::kBool);
  const TensorInfo number({2}, DataType::kUInt8);
  EXPECT_EQ(GetRefusal({LayerType::kLogicalBinary, descriptor, {number, boolean}, boolean}),
            "data type uint8 of input 0 is not supported, only bool");
  EXPECT_EQ(GetRefusal({LayerType::kLogicalBinary,
                        descriptor,
                        {boolean, TensorInfo({3}, DataType::kBool)},
                        boolean}),
            "the shapes [2] of input 0 and [3] of input 1 do not broadcast");
  descriptor.operation = LogicalOperation{4};
  EXPECT_EQ(GetRefusal({LayerType::kLogicalBinary, descriptor, {boolean, boolean}, boolean}),
            "logical operation 4 is not supported, only 1 (And), 2 (Or) and 3 (Xor)");
}

}  // namespace
}  // namespace cpuref_test
}  // namespace backplane
