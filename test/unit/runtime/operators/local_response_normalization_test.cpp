#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

TEST(LocalResponseNormalization, KeepsShape) {
  constexpr LayerType kType = LayerType::kLocalResponseNormalization;
  LocalResponseNormalizationDescriptor descriptor;
  descriptor.size = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(Infer<kType>(descriptor, {Float({2, 3, 4, 5})}), Float({2, 3, 4, 5}));
  descriptor.axis = 0;
  EXPECT_EQ(Infer<kType>(descriptor, {Float({0})}), Float({0}));
}

TEST(LocalResponseNormalization, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kLocalResponseNormalization>(
      {}, {Float({2})}, DiagnosticCode::kInvalidDescriptor, "axis 1", "less than 1");
}

TEST(LocalResponseNormalization, RejectsScalar) {
  ExpectRefused<LayerType::kLocalResponseNormalization>({}, {Float({})}, DiagnosticCode::kWrongRank,
                                                        "float32 []", "rank 1 or more");
}

TEST(LocalResponseNormalization, RejectsNoNeighbours) {
  LocalResponseNormalizationDescriptor descriptor;
  descriptor.size = 0;
  ExpectRefused<LayerType::kLocalResponseNormalization>(
      descriptor, {Float({2, 3})}, DiagnosticCode::kInvalidDescriptor, "found 0", "1 or more");
}

TEST(LocalResponseNormalization, RejectsFactorsThatAreNotFinite) {
  using Descriptor = LocalResponseNormalizationDescriptor;
  for (float Descriptor::*field : {&Descriptor::alpha, &Descriptor::beta, &Descriptor::bias}) {
    Descriptor descriptor;
    descriptor.*field = std::numeric_limits<float>::infinity();
    ExpectRefused<LayerType::kLocalResponseNormalization>(descriptor, {Float({2, 3})},
                                                          DiagnosticCode::kInvalidDescriptor,
                                                          "found inf", "a finite number");
  }
}

}  // namespace
}  // namespace backplane
