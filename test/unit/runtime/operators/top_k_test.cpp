#include "operators/infer.hpp"

#include <limits>

namespace backplane {
namespace {

TopKDescriptor TakeTopK(std::int64_t k, std::uint32_t axis = 0) {
  TopKDescriptor descriptor;
  descriptor.axis = axis;
  descriptor.k = k;
  return descriptor;
}

using Infos = std::vector<TensorInfo>;

TEST(TopK, GivesValuesAndIndices) {
  EXPECT_EQ(InferAll<LayerType::kTopK>(TakeTopK(2, 1), {Float({3, 5})}, 2),
            (Infos{Float({3, 2}), Typed(DataType::kInt64, {3, 2})}));
}

TEST(TopK, TakesNoneAndAll) {
  EXPECT_EQ(Infer<LayerType::kTopK>(TakeTopK(0), {Float({3, 5})}), Float({0, 5}));
  EXPECT_EQ(Infer<LayerType::kTopK>(TakeTopK(3), {Float({3, 5})}), Float({3, 5}));
}

TEST(TopK, OnlyValuesAreQuantized) {
  EXPECT_EQ(InferAll<LayerType::kTopK>(TakeTopK(2), {Quantized({5})}, 2),
            (Infos{Quantized({2}), Typed(DataType::kInt64, {2})}));
}

TEST(TopK, RejectsCountsThatTheAxisDoesNotHave) {
  for (const std::int64_t k :
       {std::int64_t{-1}, std::int64_t{6}, std::numeric_limits<std::int64_t>::max()}) {
    ExpectRefused<LayerType::kTopK>(
        TakeTopK(k, 1), {Float({3, 5})}, DiagnosticCode::kInvalidDescriptor,
        "found " + std::to_string(k) + ";", "0 to 5, the extent at axis 1");
  }
}

TEST(TopK, RejectsAxisBehindRank) {
  ExpectRefused<LayerType::kTopK>(TakeTopK(1, 2), {Float({3, 5})},
                                  DiagnosticCode::kInvalidDescriptor, "axis 2", "less than 2");
}

TEST(TopK, RejectsScalar) {
  ExpectRefused<LayerType::kTopK>(TakeTopK(1), {Float({})}, DiagnosticCode::kWrongRank,
                                  "float32 []", "rank 1 or more");
}

TEST(TopK, RejectsFlagsThatAreNone) {
  TopKDescriptor largest = TakeTopK(1);
  largest.largest = 2;
  ExpectRefused<LayerType::kTopK>(largest, {Float({3})}, DiagnosticCode::kInvalidDescriptor,
                                  "found 2", "0 or 1");
  TopKDescriptor sorted = TakeTopK(1);
  sorted.is_sorted = 3;
  ExpectRefused<LayerType::kTopK>(sorted, {Float({3})}, DiagnosticCode::kInvalidDescriptor,
                                  "found 3", "0 or 1");
}

}  // namespace
}  // namespace backplane
