#include "constants/packed_constants.hpp"
#include "constants/folded_nodes.hpp"
#include "memory/aligned_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

GraphTensor MakeConstant(const std::vector<float>& values) {
  Graph graph;
  const TensorId id = AddConstant(graph, {static_cast<std::int64_t>(values.size())}, values);
  return graph.tensors[id];
}

std::shared_ptr<const void> CopyFirst(const std::vector<std::shared_ptr<const void>>& contents) {
  std::shared_ptr<void> copy = AllocateAligned(sizeof(float));
  std::memcpy(copy.get(), contents[0].get(), sizeof(float));
  return copy;
}

TEST(PackedConstants, GivesTheSameWhileAKernelHoldsIt) {
  PackedConstants constants;
  const GraphTensor constant = MakeConstant({1, 2});
  int num_made = 0;
  const auto share = [&] {
    return constants.Share({constant.content}, "copy", [&] {
      ++num_made;
      return CopyFirst({constant.content});
    });
  };
  auto held = share();
  EXPECT_EQ(share(), held);
  EXPECT_EQ(num_made, 1);
  held.reset();
  share();
  EXPECT_EQ(num_made, 2);
}

// Memory that was freed is given again: what was made of the former content must not be taken.
TEST(PackedConstants, AreNotTakenForThoseThatLayAtTheSameAddressBefore) {
  PackedConstants constants;
  float memory = 1;
  const auto put = [&](float value) {
    memory = value;
    return std::shared_ptr<const void>(&memory, [](const void*) {});
  };
  const auto share = [&](const std::shared_ptr<const void>& content) {
    return constants.Share({content}, "copy", [&] { return CopyFirst({content}); });
  };
  const auto of_one = share(put(1));
  const auto of_two = share(put(2));
  EXPECT_EQ(*static_cast<const float*>(of_one.get()), 1);
  EXPECT_EQ(*static_cast<const float*>(of_two.get()), 2);
}

// As each plan of a network is offered them.
TEST(PackedConstants, AreFoundAgainByTheirIdentityWhereverTheyLie) {
  const auto table = std::make_shared<PackedTable>();
  PackedConstants constants(table);
  int num_made = 0;
  const auto share = [&](float value, std::uint64_t identity) {
    const std::shared_ptr<const void> content = std::make_shared<const float>(value);
    table->NoteIdentity(content, {identity, 0});
    return constants.Share({content}, "copy", [&] {
      ++num_made;
      return CopyFirst({content});
    });
  };
  const auto of_first = share(1, 7);
  EXPECT_EQ(share(1, 7), of_first) << "though the first content has gone";
  EXPECT_EQ(num_made, 1);
  EXPECT_NE(share(2, 8), of_first);
  EXPECT_NE(share(1, 0), of_first) << "nothing is known of it";
  EXPECT_EQ(num_made, 3);
}

TEST(PackedConstants, TellsOfEachContentThatHasAnotherForm) {
  std::vector<std::shared_ptr<const void>> told;
  PackedConstants constants(std::make_shared<PackedTable>(),
                            [&](const auto& content) { told.push_back(content); });
  const GraphTensor first = MakeConstant({1, 2});
  const GraphTensor second = MakeConstant({3, 4});
  const auto kept = constants.Keep(first);
  EXPECT_TRUE(told.empty()) << "a kernel reads it as it is";
  const std::vector<std::shared_ptr<const void>> both{first.content, second.content};
  const auto packed = constants.Share(both, "copy", [&] { return CopyFirst(both); });
  EXPECT_EQ(told, both);
  EXPECT_EQ(constants.Share(both, "copy", [&] { return CopyFirst(both); }), packed);
  EXPECT_EQ(told.size(), 4U) << "who packed it before may have been offered another network";
}

TEST(PackedConstants, CountWhatIsHeldOnce) {
  PackedConstants constants;
  GraphTensor constant = MakeConstant(std::vector<float>(32, 1));
  EXPECT_EQ(constants.CountBytes(), 0U);
  auto kept = constants.Keep(constant);
  EXPECT_EQ(kept, constants.Keep(constant));
  EXPECT_EQ(constants.CountBytes(), 128U);
  auto packed = constants.Share({constant.content}, "copy", [&] { return CopyFirst({kept}); });
  EXPECT_EQ(constants.CountBytes(), 192U);
  constant.content.reset();
  kept.reset();
  EXPECT_EQ(constants.CountBytes(), 64U);
}

/// A node with a constant input, and how often it was run.
class FoldedNodesTest : public testing::Test {
 protected:
  FoldedNodesTest() {
    graph_.tensors = {MakeConstant({1, 2}), MakeConstant({0, 0})};
    graph_.tensors[1].content.reset();
    node_.type = LayerType::kDequantize;
    node_.inputs = {0};
    node_.outputs = {1};
  }

  FoldedNodes::Content Find() {
    const auto outputs = folded_.Find(graph_, node_, [&] {
      ++num_made_;
      return std::vector<FoldedNodes::Content>{CopyFirst({graph_.tensors[0].content})};
    });
    return outputs.at(0);
  }

  const std::shared_ptr<PackedTable> table_ = std::make_shared<PackedTable>();
  FoldedNodes folded_{table_};
  Graph graph_;
  Node node_;
  int num_made_ = 0;
};

TEST_F(FoldedNodesTest, GiveTheSameWhileItIsHeld) {
  table_->NoteIdentity(graph_.tensors[0].content, {7, 0});
  auto held = Find();
  EXPECT_EQ(Find(), held);
  EXPECT_EQ(num_made_, 1);
  const PackedTable::Identity identity = table_->GetIdentity(held);
  EXPECT_NE(identity, PackedTable::Identity());
  held.reset();
  held = Find();
  EXPECT_EQ(num_made_, 2);
  EXPECT_EQ(table_->GetIdentity(held), identity) << "what was packed of it is still right";
}

TEST_F(FoldedNodesTest, TellNodesApartByAllThatTheyReadAndSay) {
  table_->NoteIdentity(graph_.tensors[0].content, {7, 0});
  const auto first = Find();
  node_.descriptor = {1};
  const auto second = Find();
  graph_.tensors[0].info.shape = {1, 2};
  const auto third = Find();
  graph_.tensors[0] = MakeConstant({3, 4});
  table_->NoteIdentity(graph_.tensors[0].content, {8, 0});
  const auto fourth = Find();
  EXPECT_EQ(num_made_, 4);
}

TEST_F(FoldedNodesTest, AreRunAnewWhereNothingIsSaidOfAConstant) {
  const auto first = Find();
  EXPECT_NE(Find(), first);
  EXPECT_EQ(num_made_, 2);
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
