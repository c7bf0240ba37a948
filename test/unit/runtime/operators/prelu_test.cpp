#include "operators/infer.hpp"

namespace backplane {
namespace {

TensorInfo InferPrelu(const TensorInfo& input, const TensorInfo& slope) {
  return Infer<LayerType::kPrelu>({}, {input, slope});
}

TEST(Prelu, KeepsShapeAndType) {
  EXPECT_EQ(InferPrelu(Float({1, 2, 3, 4}), Float({2, 1, 1})), Float({1, 2, 3, 4}));
  EXPECT_EQ(InferPrelu(Float({0, 3}), Float({3})), Float({0, 3}));
  EXPECT_EQ(InferPrelu(Float({}), Float({})), Float({}));
  EXPECT_EQ(InferPrelu(Typed(DataType::kInt32, {2}), Typed(DataType::kInt32, {1})),
            Typed(DataType::kInt32, {2}));
}

TEST(Prelu, RejectsASlopeThatWouldEnlargeTheInput) {
  ExpectRefused<LayerType::kPrelu>({}, {Float({1, 3}), Float({2, 3})}, DiagnosticCode::kWrongShape,
                                   "slope [2, 3] for the input [1, 3]", "those of the input or 1");
  ExpectRefused<LayerType::kPrelu>({}, {Float({3}), Float({1, 3})}, DiagnosticCode::kWrongShape,
                                   "slope [1, 3] for the input [3]", "those of the input or 1");
  ExpectRefused<LayerType::kPrelu>({}, {Float({1, 2, 4}), Float({2})}, DiagnosticCode::kWrongShape,
                                   "slope [2] for the input [1, 2, 4]", "those of the input or 1");
}

}  // namespace
}  // namespace backplane
