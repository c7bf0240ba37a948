#include "operators/infer.hpp"

namespace backplane {
namespace {

EyeLikeDescriptor Of(DataType type) {
  EyeLikeDescriptor descriptor;
  descriptor.data_type = type;
  return descriptor;
}

TEST(EyeLike, HasTheShapeOfItsInputAndATypeOfItsOwn) {
  EXPECT_EQ(Infer<LayerType::kEyeLike>(Of(DataType::kInt8), {Float({2, 3})}),
            Typed(DataType::kInt8, {2, 3}));
  EXPECT_EQ(Infer<LayerType::kEyeLike>(Of(DataType::kBool), {Quantized({0, 3})}),
            Typed(DataType::kBool, {0, 3}));
}

TEST(EyeLike, RejectsWhatIsNoMatrixAndUnknownTypes) {
  ExpectRefused<LayerType::kEyeLike>(Of(DataType::kInt8), {Float({2})}, DiagnosticCode::kWrongRank,
                                     "float32 [2]", "rank 2");
  ExpectRefused<LayerType::kEyeLike>(Of(static_cast<DataType>(99)), {Float({2, 2})}, kInvalid,
                                     "number 99", "float32");
}

}  // namespace
}  // namespace backplane
