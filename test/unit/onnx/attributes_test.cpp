#include "nodes/attributes.hpp"

#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

TEST(Attributes, GivesValuesOfTheirTypes) {
  ::onnx::NodeProto proto;
  NodeBuilder(proto).Int("i", 3).Ints("is", {1, 2}).Float("f", 0.5F).String("s", "text");
  Attributes attributes(proto, "node n (Op)");
  EXPECT_EQ(attributes.FindInt("i"), 3);
  EXPECT_EQ(attributes.FindInts("is"), (Dims{1, 2}));
  EXPECT_EQ(attributes.FindFloat("f"), 0.5F);
  EXPECT_EQ(attributes.FindString("s"), "text");
  EXPECT_EQ(attributes.FindInt("absent"), std::nullopt);
  EXPECT_EQ(attributes.FindTensor("absent"), nullptr);
  EXPECT_NO_THROW(attributes.RefuseUnread());
}

TEST(Attributes, RefusesAnotherType) {
  ::onnx::NodeProto proto;
  NodeBuilder(proto).Float("axis", 1);
  Attributes attributes(proto, "node n (Op)");
  const Diagnostic error = Catch([&] { attributes.FindInt("axis"); });
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_EQ(error.why, "axis is of type FLOAT; INT is expected");
}

TEST(Attributes, RefusesWhatNobodyRead) {
  ::onnx::NodeProto proto;
  NodeBuilder(proto).Int("axis", 1).Int("fancy", 1).Int("fast", 0);
  Attributes attributes(proto, "node n (Op)");
  attributes.FindInt("axis");
  const Diagnostic error = Catch([&] { attributes.RefuseUnread(); });
  EXPECT_EQ(error.code, DiagnosticCode::kUnsupportedAttribute);
  EXPECT_EQ(error.why, "found fancy, fast; supported are axis");
}

}  // namespace
}  // namespace backplane::onnx::test
