#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(Fill, HasTheShapeOfItsDescriptor) {
  FillDescriptor descriptor;
  EXPECT_EQ(Infer<LayerType::kFill>(descriptor, {Float({})}), Float({}));
  descriptor.rank = 2;
  descriptor.dims[0] = 3;
  EXPECT_EQ(Infer<LayerType::kFill>(descriptor, {Quantized({})}), Quantized({3, 0}));
}

TEST(Fill, RejectsWhatDoesNotFit) {
  FillDescriptor descriptor;
  ExpectRefused<LayerType::kFill>(descriptor, {Float({1})}, DiagnosticCode::kWrongRank,
                                  "float32 [1]", "rank 0");
  descriptor.rank = 9;
  ExpectRefused<LayerType::kFill>(descriptor, {Float({})}, kInvalid, "rank 9", "at most 8");
  descriptor.rank = 1;
  descriptor.dims[0] = -2;
  ExpectRefused<LayerType::kFill>(descriptor, {Float({})}, kInvalid, "[-2]", "0 or more");
}

}  // namespace
}  // namespace backplane
