#include "cpu_layers/strided_copy.hpp"

#include "cpu_layers/dense_steps.hpp"
#include "moves/moves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace backplane {
namespace cpuacc {
namespace {

using cpu_layers::DenseSteps;
using Axes = std::vector<std::uint32_t>;

/// What stands at each place of the output when its axes are the permuted ones of the input.
std::vector<std::int64_t> FindSources(const TensorShape& input, const Axes& permutation) {
  const DenseSteps from(input);
  std::vector<std::int64_t> sources = {0};
  for (const std::uint32_t axis : permutation) {
    std::vector<std::int64_t> next;
    for (const std::int64_t source : sources) {
      for (std::int64_t i = 0; i < input[axis]; ++i) next.push_back(source + i * from[axis]);
    }
    sources = next;
  }
  return sources;
}

StridedCopy MakeTransposition(const TensorShape& input, const Axes& permutation,
                              std::size_t element_bytes) {
  TensorShape output;
  for (const std::uint32_t axis : permutation) output.Append(input[axis]);
  const DenseSteps from(input);
  const DenseSteps to(output);
  StridedCopy copy(element_bytes);
  for (std::uint32_t axis = 0; axis < output.rank; ++axis) {
    copy.AddAxis(output[axis], from[permutation[axis]], to[axis]);
  }
  copy.Prepare();
  return copy;
}

/// Differs from that of its neighbours, in the bytes that a vector mixes up first.
template <typename Element>
Element MakeElement(std::size_t number) {
  const std::uint64_t bits = number * 2654435761U + number / 3;
  Element element = {};
  std::memcpy(&element, &bits, std::min(sizeof(element), sizeof(bits)));
  return element;
}

template <typename Element>
void ExpectTransposed(const TensorShape& input, const Axes& permutation, int num_threads) {
  const auto count = static_cast<std::size_t>(input.GetNumElements());
  std::vector<Element> from(count);
  for (std::size_t i = 0; i < count; ++i) from[i] = MakeElement<Element>(i);
  // One more, which must stay.
  std::vector<Element> to(count + 1, MakeElement<Element>(0x5a));
  ThreadPool pool;
  RunCopy(MakeTransposition(input, permutation, sizeof(Element)), from.data(), to.data(),
          Threads(pool, num_threads));
  const std::vector<std::int64_t> sources = FindSources(input, permutation);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(to[i], from[static_cast<std::size_t>(sources[i])]) << "element " << i;
  }
  EXPECT_EQ(to[count], MakeElement<Element>(0x5a));
}

void ExpectTransposedInAnySize(const TensorShape& input, const Axes& permutation, int num_threads) {
  ExpectTransposed<std::uint8_t>(input, permutation, num_threads);
  ExpectTransposed<std::uint16_t>(input, permutation, num_threads);
  ExpectTransposed<std::uint32_t>(input, permutation, num_threads);
  ExpectTransposed<std::uint64_t>(input, permutation, num_threads);
  ExpectTransposed<std::array<std::uint8_t, 3>>(input, permutation, num_threads);
  ExpectTransposed<std::array<std::uint8_t, 80>>(input, permutation, num_threads);
}

TEST(StridedCopy, TransposesUpToFiveAxesInEveryOrder) {
  std::mt19937 random(1);
  for (std::uint32_t rank = 1; rank <= 5; ++rank) {
    Axes permutation(rank);
    std::iota(permutation.begin(), permutation.end(), 0U);
    do {
      TensorShape shape;
      const std::uint32_t most = rank <= 2 ? 70 : rank == 3 ? 24 : 9;
      for (std::uint32_t axis = 0; axis < rank; ++axis) shape.Append(1 + random() % most);
      ExpectTransposedInAnySize(shape, permutation, 1 + static_cast<int>(random() % 3));
    } while (std::next_permutation(permutation.begin(), permutation.end()));
  }
}

TEST(StridedCopy, SharesLargeCopiesAmongThreads) {
  for (const int num_threads : {1, 2, 3}) {
    ExpectTransposedInAnySize({601, 703}, {1, 0}, num_threads);
    ExpectTransposedInAnySize({3, 301, 400}, {2, 0, 1}, num_threads);
    ExpectTransposedInAnySize({3, 5, 40001}, {1, 0, 2}, num_threads);
    ExpectTransposedInAnySize({400003}, {0}, num_threads);
  }
}

TEST(StridedCopy, TakesEverySecondElement) {
  for (const std::int64_t count : {1, 2, 7, 31, 1000}) {
    StridedCopy copy(sizeof(float));
    copy.AddAxis(count, 2, 1);
    copy.Prepare();
    std::vector<float> from(static_cast<std::size_t>(2 * count - 1));
    std::iota(from.begin(), from.end(), 0.0F);
    std::vector<float> to(static_cast<std::size_t>(count));
    copy.Run(from.data(), to.data());
    for (std::size_t i = 0; i < to.size(); ++i) EXPECT_EQ(to[i], from[2 * i]);
  }
}

TEST(StridedCopy, TransposesWhatIsDenseNowhere) {
  for (const std::int64_t extent : {3, 40, 100}) {
    const std::int64_t rows = 37;
    StridedCopy copy(sizeof(float));
    copy.AddAxis(extent, -2, 3 * rows);
    copy.AddAxis(rows, 2 * extent, 3);
    copy.Skip(2 * extent - 1, 1);
    copy.Prepare();
    std::vector<float> from(static_cast<std::size_t>(2 * extent * rows));
    std::iota(from.begin(), from.end(), 0.0F);
    for (const int num_threads : {1, 3}) {
      std::vector<float> to(static_cast<std::size_t>(3 * extent * rows), -1.0F);
      ThreadPool pool;
      RunCopy(copy, from.data(), to.data(), Threads(pool, num_threads));
      for (std::size_t i = 0; i < to.size(); ++i) {
        const auto place = static_cast<std::int64_t>(i / 3);
        const std::int64_t source =
            2 * extent * (place % rows) + 2 * extent - 1 - 2 * (place / rows);
        ASSERT_EQ(to[i], i % 3 == 1 ? from[static_cast<std::size_t>(source)] : -1.0F) << i;
      }
    }
  }
}

TEST(StridedCopy, GoesBackwardsAndRepeats) {
  StridedCopy copy(1);
  copy.AddAxis(2, 0, 3);
  copy.AddAxis(3, -1, 1);
  copy.Skip(2, 1);
  copy.Prepare();
  const unsigned char from[] = {1, 2, 3};
  unsigned char to[8] = {};
  copy.Run(from, to);
  const unsigned char expected[8] = {0, 3, 2, 1, 3, 2, 1, 0};
  EXPECT_TRUE(std::equal(to, to + 8, expected));
}

TEST(StridedCopy, LooksAtNothingWhereAnExtentIsZero) {
  StridedCopy copy(4);
  copy.AddAxis(3, 1, 1);
  copy.AddAxis(0, 3, 3);
  copy.Prepare();
  RunCopy(copy, nullptr, nullptr, Threads());
}

}  // namespace
}  // namespace cpuacc
}  // namespace backplane
