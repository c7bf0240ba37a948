#include "wire/fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace backplane::wire {

struct Leaf {
  std::string text;
  bool is_set = false;
};

struct Tree {
  Leaf leaf;
  std::vector<Tree> branches;
};

enum class Colour : int { kRed, kBlue };

struct Everything {
  std::int8_t small = -3;
  double number = 0;
  Colour colour = Colour::kBlue;
  std::chrono::milliseconds time{0};
  std::optional<std::uint32_t> maybe;
  std::optional<std::string> nothing;
  std::vector<std::string> texts;
  Tree tree;
};

template <typename Fields>
void VisitFields(Fields& fields, Leaf& leaf) {
  fields(leaf.text, leaf.is_set);
  fields.Require(leaf.text != "never");
}

template <typename Fields>
void VisitFields(Fields& fields, Tree& tree) {
  fields(tree.leaf, tree.branches);
}

template <typename Fields>
void VisitFields(Fields& fields, Everything& all) {
  fields(all.small, all.number, all.colour, all.time, all.maybe, all.nothing, all.texts, all.tree);
  fields.Require(IsUpTo(Colour::kBlue, all.colour));
}

namespace {

Everything MakeEverything() {
  Everything all;
  all.number = -std::numeric_limits<double>::infinity();
  all.time = std::chrono::milliseconds(-7);
  all.maybe = 8;
  all.texts = {"", std::string("a\0b", 3), "\xff"};
  all.tree = {{"root", true}, {{{"one", false}, {}}, {{"two", true}, {{{"three", true}, {}}}}}};
  return all;
}

TEST(Fields, ComeBackAsTheyWere) {
  const auto read = ReadFields<Everything>(WriteFields(MakeEverything()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->small, -3);
  EXPECT_TRUE(std::isinf(read->number) && std::signbit(read->number));
  EXPECT_EQ(read->colour, Colour::kBlue);
  EXPECT_EQ(read->time.count(), -7);
  EXPECT_EQ(read->maybe, 8U);
  EXPECT_FALSE(read->nothing);
  EXPECT_EQ(read->texts, MakeEverything().texts);
  ASSERT_EQ(read->tree.branches.size(), 2U);
  EXPECT_EQ(read->tree.branches[1].branches.at(0).leaf.text, "three");
  EXPECT_TRUE(read->tree.leaf.is_set);
}

TEST(Fields, CutShortAnywhereAreNothing) {
  const std::string bytes = WriteFields(MakeEverything());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ReadFields<Everything>(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(ReadFields<Everything>(bytes + '\0'));
}

TEST(Fields, ThatCannotBeAreNothing) {
  Everything all = MakeEverything();
  for (const int number : {-1, 2}) {
    all.colour = static_cast<Colour>(number);
    EXPECT_FALSE(ReadFields<Everything>(WriteFields(all))) << number;
  }
  EXPECT_FALSE(ReadFields<Leaf>(WriteFields(Leaf{"never", true})));
  std::string bytes = WriteFields(Leaf{"", true});
  bytes.back() = 2;
  EXPECT_FALSE(ReadFields<Leaf>(bytes)) << "a bool is 0 or 1";
}

// Else a reader would take as much memory, or stack, as a few bytes say.
TEST(Fields, SayNoMoreThanComes) {
  const std::string many = Writer().Put(std::uint64_t{1} << 60U).Get();
  EXPECT_FALSE(ReadFields<std::vector<std::string>>(many));
  EXPECT_FALSE(ReadFields<std::string>(many));
  Tree tree;
  Tree* inner = &tree;
  for (int depth = 0; depth < 1000; ++depth) inner = &inner->branches.emplace_back();
  EXPECT_FALSE(ReadFields<Tree>(WriteFields(tree)));
}

}  // namespace
}  // namespace backplane::wire
