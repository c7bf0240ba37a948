// How descriptors of older and newer headers are copied.

#include <backplane/api/descriptors.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace backplane {
namespace {

// Three versions of one descriptor, as headers of three minors have it.
struct OldDescriptor : Descriptor<OldDescriptor> {
  std::uint32_t axis = 0;
};
struct CurrentDescriptor : Descriptor<CurrentDescriptor> {
  std::uint32_t axis = 0;
  float beta = 1.0F;
};
struct NewDescriptor : Descriptor<NewDescriptor> {
  std::uint32_t axis = 0;
  float beta = 1.0F;
  std::uint64_t mode = 7;
};

TEST(CopyDescriptor, FillsWhatAnOlderOneLacksWithDefaults) {
  OldDescriptor source;
  source.axis = 3;
  const auto copy = CopyDescriptor<CurrentDescriptor>(source);
  EXPECT_EQ(copy.size_bytes, sizeof(CurrentDescriptor));
  EXPECT_EQ(copy.axis, 3U);
  EXPECT_EQ(copy.beta, 1.0F);
}

TEST(CopyDescriptor, LeavesOutWhatANewerOneHasMore) {
  NewDescriptor source;
  source.axis = 4;
  source.beta = 0.5F;
  source.mode = 9;
  // What lies behind the copy must stay as it is.
  struct {
    CurrentDescriptor copy;
    std::uint64_t behind = 0x1122334455667788;
  } memory;
  memory.copy = CopyDescriptor<CurrentDescriptor>(source);
  EXPECT_EQ(memory.copy.size_bytes, sizeof(CurrentDescriptor));
  EXPECT_EQ(memory.copy.axis, 4U);
  EXPECT_EQ(memory.copy.beta, 0.5F);
  EXPECT_EQ(memory.behind, 0x1122334455667788U);
}

TEST(CopyDescriptor, GivesDefaultsForASizeBelowTheLeast) {
  CurrentDescriptor source;
  source.axis = 5;
  for (const std::uint32_t size_bytes : {0U, 1U, 4U}) {
    source.size_bytes = size_bytes;
    const auto copy = CopyDescriptor<CurrentDescriptor>(source);
    EXPECT_EQ(copy.size_bytes, sizeof(CurrentDescriptor));
    EXPECT_EQ(copy.axis, 0U);
  }
}

TEST(CopyDescriptor, TakesEverythingOverFromTheSameVersion) {
  ConvolutionDescriptor source;
  source.spatial_rank = 3;
  source.strides[2] = 4;
  source.pads_end[1] = 2;
  source.groups = 8;
  const auto copy = CopyDescriptor<ConvolutionDescriptor>(source);
  EXPECT_EQ(std::memcmp(&copy, &source, sizeof(copy)), 0);
}

}  // namespace
}  // namespace backplane
