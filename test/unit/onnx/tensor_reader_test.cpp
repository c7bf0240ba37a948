#include "values/tensor_reader.hpp"

#include "model_builder.hpp"
#include "values/elements.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace backplane::onnx::test {
namespace {

class TensorReaderTest : public testing::Test {
 protected:
  Value Read(const std::shared_ptr<const ::onnx::TensorProto>& proto) {
    return reader_.Read(*proto, origin_, proto);
  }

  TensorOrigin origin_{DiagnosticCode::kInvalidModel, {}, "the tensor"};
  MemoryBudget budget_;
  TensorReader reader_{"m.onnx", budget_};
};

TEST_F(TensorReaderTest, SharesWhatLiesInTheMessage) {
  const auto typed = std::make_shared<const ::onnx::TensorProto>(MakeFloats("t", {3}, {1, 2, 3}));
  EXPECT_EQ(Read(typed).data.get(), typed->float_data().data());
  auto raw = std::make_shared<::onnx::TensorProto>(*typed);
  raw->clear_float_data();
  raw->set_raw_data(std::string(3 * sizeof(float), '\0'));
  EXPECT_EQ(Read(raw).data.get(), raw->raw_data().data());
}

TEST_F(TensorReaderTest, KeepsTheMessageThatItShares) {
  auto proto = std::make_shared<const ::onnx::TensorProto>(MakeFloats("t", {3}, {1, 2, 3}));
  const Value value = Read(proto);
  proto.reset();
  EXPECT_EQ(ReadElements<double>(value), (std::vector<double>{1, 2, 3}));
}

TEST_F(TensorReaderTest, ConvertsWhatStandsInAnotherType) {
  auto proto = std::make_shared<::onnx::TensorProto>();
  proto->set_data_type(::onnx::TensorProto::FLOAT16);
  proto->add_dims(2);
  proto->add_int32_data(0x3C00);  // 1
  proto->add_int32_data(0xC500);  // -5
  EXPECT_EQ(ReadElements<double>(Read(proto)), (std::vector<double>{1, -5}));
}

// A function with it may be called any number of times.
TEST_F(TensorReaderTest, ConvertsOnceHoweverOftenItIsRead) {
  auto proto = std::make_shared<::onnx::TensorProto>();
  proto->set_data_type(::onnx::TensorProto::BOOL);
  proto->add_dims(1);
  proto->add_int32_data(1);
  const Value first = Read(proto);
  EXPECT_EQ(Read(proto).data, first.data);
}

TEST_F(TensorReaderTest, CopiesOutOfTheBudgetWithoutAnOwner) {
  const auto proto = MakeFloats("t", {1}, {1});
  EXPECT_NE(reader_.Read(proto, origin_, nullptr).data.get(), proto.float_data().data());
  EXPECT_TRUE(budget_.Take(MemoryBudget::kMaxBytes - sizeof(float)));
  const Diagnostic error = Catch([&] { reader_.Read(proto, origin_, nullptr); });
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.why, "it needs 4 bytes that the file does not hold")) << error.why;
}

}  // namespace
}  // namespace backplane::onnx::test
