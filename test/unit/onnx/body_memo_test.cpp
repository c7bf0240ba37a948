#include "stages/staged_graph.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx {
namespace {

Value MakeNumber(float number) {
  return MakeConstant({{1}, DataType::kFloat32}, &number);
}

class BodyMemoTest : public testing::Test {
 protected:
  std::shared_ptr<const INetworkSource> Find(const BodyMemo::Surroundings& around) {
    return memo_.Find(graph_, around, [&] {
      ++num_made_;
      return std::make_shared<const StagedGraph>();
    });
  }

  const ::onnx::GraphProto graph_;
  BodyMemo memo_;
  int num_made_ = 0;
};

TEST_F(BodyMemoTest, GivesOneSourceForTheSameSurroundings) {
  const BodyMemo::Surroundings around = {{"x"}, {{"half", MakeNumber(0.5F)}}};
  const auto first = Find(around);
  EXPECT_EQ(Find(around), first);
  EXPECT_EQ(num_made_, 1);
}

TEST_F(BodyMemoTest, KeepsNoneThatNobodyHas) {
  const std::weak_ptr<const INetworkSource> source = Find({});
  EXPECT_TRUE(source.expired()) << "it has the model, which has the memo";
}

TEST_F(BodyMemoTest, MakesAnotherForOtherSurroundings) {
  const BodyMemo::Surroundings around = {{"x"}, {{"half", MakeNumber(0.5F)}}};
  const auto first = Find(around);
  EXPECT_NE(Find({{"x", "y"}, around.constants}), first);
  EXPECT_NE(Find({{"x"}, {{"half", MakeNumber(0.5F)}}}), first) << "memory of another stage";
  EXPECT_NE(Find({{"x"}, {{"part", around.constants.at("half")}}}), first);
  EXPECT_EQ(num_made_, 4);
}

TEST(NodeReads, AreThoseOfGraphsWithinToo) {
  ::onnx::GraphProto graph;
  ::onnx::NodeProto& choice = *graph.add_node();
  choice.set_op_type("If");
  choice.add_input("condition");
  ::onnx::AttributeProto& attribute = *choice.add_attribute();
  ::onnx::GraphProto& branch = *attribute.mutable_g();
  branch.add_initializer()->set_name("weights");
  ::onnx::NodeProto& product = *branch.add_node();
  product.add_input("x");
  product.add_input("weights");
  product.add_output("product");
  branch.add_output()->set_name("product");
  branch.add_output()->set_name("y");
  const auto reads = FindNodeReads(graph);
  ASSERT_EQ(reads->size(), 1U);
  EXPECT_EQ((*reads)[0].within, (std::set<std::string>{"x", "y"}));
  EXPECT_EQ((*reads)[0].all, (std::set<std::string>{"condition", "x", "y"}));
}

}  // namespace
}  // namespace backplane::onnx
