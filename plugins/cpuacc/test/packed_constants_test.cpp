#include "constants/packed_constants.hpp"
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

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
