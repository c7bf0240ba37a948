#include "operators/infer.hpp"

namespace backplane {
namespace {

TEST(TriangularPart, HasTheShapeOfItsInput) {
  EXPECT_EQ(Infer<LayerType::kTriangularPart>(TriangularPartDescriptor(), {Float({2, 3, 4})}),
            Float({2, 3, 4}));
  EXPECT_EQ(Infer<LayerType::kTriangularPart>(TriangularPartDescriptor(), {Float({0, 4})}),
            Float({0, 4}));
}

TEST(TriangularPart, RejectsWhatIsNoMatrixAndUnknownParts) {
  ExpectRefused<LayerType::kTriangularPart>(TriangularPartDescriptor(), {Float({3})},
                                            DiagnosticCode::kWrongRank, "float32 [3]",
                                            "rank 2 or more");
  TriangularPartDescriptor descriptor;
  descriptor.part = static_cast<Triangle>(3);
  ExpectRefused<LayerType::kTriangularPart>(descriptor, {Float({3, 3})}, kInvalid, "number 3",
                                            "Upper or Lower");
}

}  // namespace
}  // namespace backplane
