#include "subgraphs/place_intermediates.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace backplane {
namespace opencl_test {
namespace {

using opencl::Intermediate;
using opencl::PlaceIntermediates;
using opencl::UsedMemory;

bool AreApart(const Intermediate& a, const Intermediate& b) {
  return a.offset_bytes + a.size_bytes <= b.offset_bytes ||
         b.offset_bytes + b.size_bytes <= a.offset_bytes;
}

TEST(PlaceIntermediates, LetsAChainTakeTurnsInTwoPlaces) {
  const auto places = PlaceIntermediates({{100, 0, 1}, {100, 1, 2}, {100, 2, 3}, {100, 3, 4}}, 128);
  ASSERT_EQ(places.size(), 4U);
  EXPECT_EQ(places[0].offset_bytes, places[2].offset_bytes);
  EXPECT_EQ(places[1].offset_bytes, places[3].offset_bytes);
  EXPECT_TRUE(AreApart(places[0], places[1]));
  for (const Intermediate& place : places) EXPECT_EQ(place.offset_bytes % 128, 0U);
}

TEST(PlaceIntermediates, KeepsApartWhatIsUsedInOneStep) {
  std::vector<UsedMemory> memories;
  for (std::size_t i = 0; i < 20; ++i) {
    memories.push_back({(i * 37) % 11 * 100, i / 2, i / 2 + i % 5});
  }
  const auto places = PlaceIntermediates(memories, 64);
  for (std::size_t a = 0; a < memories.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const bool is_together = memories[a].first_step <= memories[b].last_step &&
                               memories[b].first_step <= memories[a].last_step;
      if (!is_together) continue;
      EXPECT_TRUE(AreApart(places[a], places[b])) << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
