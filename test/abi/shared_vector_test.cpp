#include <backplane/api/shared_vector.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

namespace backplane {
namespace {

using Numbers = SharedVector<int>;

std::vector<int> List(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

TEST(SharedVectors, AreAsVectors) {
  Numbers numbers;
  EXPECT_TRUE(numbers.empty());
  EXPECT_EQ(numbers.begin(), numbers.end());
  numbers = {1, 2};
  numbers.push_back(3);
  EXPECT_EQ(List(numbers), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(numbers.front() + numbers.back() + numbers[1], 6);
  numbers.resize(4, 9);
  numbers[0] = 7;
  EXPECT_EQ(List(numbers), (std::vector<int>{7, 2, 3, 9}));
  numbers.assign(2, 5);
  EXPECT_EQ(numbers, (Numbers{5, 5}));
  const int array[] = {8};
  numbers.assign(array, array + 1);
  EXPECT_EQ(numbers, Numbers{8});
  EXPECT_NE(numbers, (Numbers{8, 8}));
  numbers.clear();
  EXPECT_EQ(numbers, Numbers(std::vector<int>()));
  EXPECT_NE(numbers, Numbers{0});
  numbers.resize(0);
  EXPECT_EQ(numbers, Numbers()) << "none are none, however they came to be so";
  EXPECT_EQ(Numbers(), numbers);
}

TEST(SharedVectors, ShareElementsUntilOneIsChanged) {
  const Numbers first{1, 2, 3};
  Numbers second = first;
  EXPECT_EQ(second.data(), first.data());
  second[1] = 5;
  EXPECT_NE(second.data(), first.data());
  EXPECT_EQ(List(first), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(List(second), (std::vector<int>{1, 5, 3}));
  const int* const place = second.data();
  second[1] = 6;
  EXPECT_EQ(second.data(), place) << "they are its own by now";
}

TEST(SharedVectors, AreChangedByOneThreadWhileOthersReadTheirCopies) {
  for (int round = 0; round < 200; ++round) {
    Numbers numbers(std::vector<int>(64, 1));
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back(
          [copy = numbers] { EXPECT_EQ(std::accumulate(copy.begin(), copy.end(), 0), 64); });
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 2;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 128);
  }
}

}  // namespace
}  // namespace backplane
