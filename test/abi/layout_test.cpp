// The layout of everything that crosses the Backend API, against the baseline.

#include <backplane/api/backend.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

namespace backplane {
namespace {

TEST(Layout, FrozenStructsHaveTheSizeTheyHad) {
#define BACKPLANE_FROZEN(type, size) EXPECT_EQ(sizeof(type), std::size_t{size}) << #type;
#define BACKPLANE_GROWING(type, size)
#define BACKPLANE_FIELD(type, field, offset)
#include "layout_baseline.def"
#undef BACKPLANE_FROZEN
#undef BACKPLANE_GROWING
#undef BACKPLANE_FIELD
}

TEST(Layout, GrowingStructsNeverShrink) {
#define BACKPLANE_FROZEN(type, size)
#define BACKPLANE_GROWING(type, size) EXPECT_GE(sizeof(type), std::size_t{size}) << #type;
#define BACKPLANE_FIELD(type, field, offset)
#include "layout_baseline.def"
#undef BACKPLANE_FROZEN
#undef BACKPLANE_GROWING
#undef BACKPLANE_FIELD
}

TEST(Layout, FieldsLieWhereTheyLay) {
#define BACKPLANE_FROZEN(type, size)
#define BACKPLANE_GROWING(type, size)
#define BACKPLANE_FIELD(type, field, offset) \
  EXPECT_EQ(offsetof(type, field), std::size_t{offset}) << #type "::" #field;
#include "layout_baseline.def"
#undef BACKPLANE_FROZEN
#undef BACKPLANE_GROWING
#undef BACKPLANE_FIELD
}

// A field appended into padding would lie inside the size that an older struct states. Also fails
// for a field that has no row yet.
TEST(Layout, GrowingStructsEndWithoutPadding) {
  std::map<std::string, std::size_t> sizes;
  std::map<std::string, std::size_t> ends;
#define BACKPLANE_FROZEN(type, size)
#define BACKPLANE_GROWING(type, size) sizes[#type] = sizeof(type);
#define BACKPLANE_FIELD(type, field, offset) \
  ends[#type] = std::max(ends[#type], offset + sizeof(type::field));
#include "layout_baseline.def"
#undef BACKPLANE_FROZEN
#undef BACKPLANE_GROWING
#undef BACKPLANE_FIELD
  for (const auto& [type, size] : sizes) EXPECT_EQ(ends[type], size) << type;
}

TEST(Layout, GrowingStructsStateTheirSize) {
#define BACKPLANE_FROZEN(type, size)
#define BACKPLANE_GROWING(type, size) EXPECT_EQ(type{}.size_bytes, sizeof(type)) << #type;
#define BACKPLANE_FIELD(type, field, offset)
#include "layout_baseline.def"
#undef BACKPLANE_FROZEN
#undef BACKPLANE_GROWING
#undef BACKPLANE_FIELD
}

}  // namespace
}  // namespace backplane
