#include "probing/joint_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace backplane::probing {
namespace {

using Set = std::vector<std::size_t>;

/// Answers for those that come to a bad end when one of some sets is among them, and counts.
class Answers {
 public:
  explicit Answers(std::vector<Set> bad) : bad_(std::move(bad)) {}

  std::optional<bool> operator()(const Set& members) {
    ++num_questions_;
    EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
    EXPECT_FALSE(members.empty());
    return std::any_of(bad_.begin(), bad_.end(), [&](const Set& set) {
      return std::includes(members.begin(), members.end(), set.begin(), set.end());
    });
  }

  std::size_t GetNumQuestions() const { return num_questions_; }

 private:
  std::vector<Set> bad_;
  std::size_t num_questions_ = 0;
};

std::optional<Set> Find(std::size_t count, const std::vector<Set>& bad) {
  return FindSmallestSet(count, Answers(bad));
}

TEST(SmallestSet, FindsEveryPairOfAFew) {
  constexpr std::size_t kCount = 9;
  for (std::size_t a = 0; a < kCount; ++a) {
    for (std::size_t b = a + 1; b < kCount; ++b) {
      EXPECT_EQ(Find(kCount, {{a, b}}), (Set{a, b}));
    }
  }
}

TEST(SmallestSet, FindsOneAndThree) {
  EXPECT_EQ(Find(1, {{0}}), Set{0});
  EXPECT_EQ(Find(100, {{57}}), Set{57});
  EXPECT_EQ(Find(100, {{3, 57, 99}}), (Set{3, 57, 99}));
  EXPECT_EQ(Find(4, {{0, 1, 2, 3}}), (Set{0, 1, 2, 3}));
}

TEST(SmallestSet, FindsOneOfSeveral) {
  const auto found = Find(50, {{1, 40}, {2, 30}, {45}});
  EXPECT_EQ(found, (Set{2, 30}));
}

TEST(SmallestSet, AsksFewQuestionsAmongMany) {
  Answers answers({{200, 900}});
  EXPECT_EQ(FindSmallestSet(1000, std::ref(answers)), (Set{200, 900}));
  EXPECT_LE(answers.GetNumQuestions(), 22U);
}

TEST(SmallestSet, FindsNothingWhatDoesNotComeAgain) {
  EXPECT_EQ(Find(0, {}), std::nullopt);
  EXPECT_EQ(Find(20, {}), std::nullopt);
}

TEST(SmallestSet, FindsNothingWithoutAnAnswer) {
  std::size_t num_left = 3;
  const auto answer = [&](const Set&) {
    return num_left-- > 0 ? std::optional<bool>(true) : std::nullopt;
  };
  EXPECT_EQ(FindSmallestSet(1000, answer), std::nullopt);
}

}  // namespace
}  // namespace backplane::probing
