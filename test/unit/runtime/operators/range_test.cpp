#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

RangeDescriptor Count(std::int64_t count) {
  RangeDescriptor descriptor;
  descriptor.count = count;
  return descriptor;
}

TEST(Range, HasAsManyElementsAsItCounts) {
  EXPECT_EQ(Infer<LayerType::kRange>(Count(5), {Float({}), Float({})}), Float({5}));
  EXPECT_EQ(Infer<LayerType::kRange>(Count(0), {Float({}), Float({})}), Float({0}));
}

TEST(Range, RejectsWhatDoesNotFit) {
  ExpectRefused<LayerType::kRange>(Count(-1), {Float({}), Float({})}, kInvalid, "found -1",
                                   "0 or more");
  ExpectRefused<LayerType::kRange>(Count(kMost), {Float({}), Float({})},
                                   DiagnosticCode::kTensorTooLarge, "9223372036854775807",
                                   "63 bits");
  ExpectRefused<LayerType::kRange>(Count(2), {Float({}), Float({1})}, DiagnosticCode::kWrongRank,
                                   "float32 [1] as input 1", "rank 0");
}

}  // namespace
}  // namespace backplane
