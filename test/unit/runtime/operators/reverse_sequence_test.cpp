#include "operators/infer.hpp"

namespace backplane {
namespace {

/// Quantized along an axis of `shape`.
ReverseSequenceDescriptor Axes(std::uint32_t batch, std::uint32_t time) {
  ReverseSequenceDescriptor descriptor;
  descriptor.batch_axis = batch;
  descriptor.time_axis = time;
  return descriptor;
}

TensorInfo Lengths(std::int64_t count) {
  return Typed(DataType::kInt32, {count});
}

TEST(ReverseSequence, HasTheShapeOfItsInput) {
  EXPECT_EQ(Infer<LayerType::kReverseSequence>(Axes(2, 0), {Float({3, 4, 5}), Lengths(5)}),
            Float({3, 4, 5}));
}

TEST(ReverseSequence, KeepsScalesThatAreNotAlongTime) {
  EXPECT_EQ(Infer<LayerType::kReverseSequence>(Axes(1, 0), {PerAxis({3, 4}, 1), Lengths(4)}),
            PerAxis({3, 4}, 1));
  ExpectRefused<LayerType::kReverseSequence>(Axes(1, 0), {PerAxis({3, 4}, 0), Lengths(4)},
                                             DiagnosticCode::kWrongDataType, "along axis 0",
                                             "one scale");
}

TEST(ReverseSequence, RejectsWhatDoesNotFit) {
  ExpectRefused<LayerType::kReverseSequence>(Axes(0, 1), {Float({3}), Lengths(3)},
                                             DiagnosticCode::kWrongRank, "float32 [3]",
                                             "rank 2 or more");
  ExpectRefused<LayerType::kReverseSequence>(Axes(1, 1), {Float({3, 4}), Lengths(4)}, kInvalid,
                                             "time_axis 1", "two different axes");
  ExpectRefused<LayerType::kReverseSequence>(Axes(0, 2), {Float({3, 4}), Lengths(3)}, kInvalid,
                                             "axis 2", "less than 2");
  ExpectRefused<LayerType::kReverseSequence>(Axes(0, 1), {Float({3, 4}), Lengths(4)},
                                             DiagnosticCode::kWrongShape, "extent 4 at axis 0",
                                             "expected 3");
}

}  // namespace
}  // namespace backplane
