#include "model_builder.hpp"

#include <gtest/gtest.h>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;

constexpr const char* kSignalNothing = "";

void AddScalar(ModelBuilder& builder, const std::string& name, std::int64_t value) {
  ::onnx::TensorProto& tensor = *builder.GetProto().mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(::onnx::TensorProto::INT64);
  tensor.add_int64_data(value);
}

// Up to the rounding of sines and cosines: where terms cancel, less than this is left.
void ExpectNearSignal(const Floats& found, const Floats& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15) << i;
}

TEST(Dft, ReadsItsLengthAndAxis) {
  ModelBuilder builder(17);
  builder.Input("x", {1, 1, 2, 1}).Output("y", {-1, -1, -1, -1});
  AddScalar(builder, "length", 4);
  builder.Node("DFT", {"x", "length"}, {"y"}).Int("axis", -2).Int("onesided", 1);
  ExpectNearSignal(builder.Run({{1, 1}}), {2, 0, 1, -1, 0, 0});
}

// Of the half of a spectrum that real numbers have.
ModelBuilder MakeRealDft(const Dims& dims, std::int64_t length) {
  ModelBuilder builder(20);
  builder.Input("x", dims).Output("y", {-1, -1, -1});
  AddScalar(builder, "length", length);
  builder.Node("DFT", {"x", length == 0 ? kSignalNothing : "length"}, {"y"})
      .Int("inverse", 1)
      .Int("onesided", 1);
  return builder;
}

TEST(Dft, FindsRealNumbersFromHalfOfTheirSpectrum) {
  const auto expect = [](const Floats& found, const Floats& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
  };
  // Of 1, 2, 4, 9.
  const Floats even = {16, 0, -3, 7, -6, 0};
  EXPECT_EQ(MakeRealDft({1, 3, 2}, 0).GetOutputShape(), (TensorShape{1, 4, 1}));
  expect(MakeRealDft({1, 3, 2}, 0).Run({even}), {1, 2, 4, 9});
  expect(MakeRealDft({1, 3, 2}, 4).Run({even}), {1, 2, 4, 9});
  // Of 3, 0, 0: one is cut off, and one is filled up.
  expect(MakeRealDft({1, 3, 2}, 3).Run({{3, 0, 3, 0, 7, 7}}), {3, 0, 0});
  expect(MakeRealDft({1, 1, 2}, 3).Run({{3, 0}}), {1, 1, 1});
  expect(MakeRealDft({1, 2, 2}, 1).Run({{3, 0, 5, 5}}), {3});
  // Without imaginary parts.
  expect(MakeRealDft({1, 3, 1}, 0).Run({{4, 4, 4}}), {4, 0, 0, 0});
}

TEST(Dft, RefusesHalfOfASpectrumOfNothing) {
  const auto why = [](const Dims& dims) {
    return MakeRealDft(dims, 0).ImportError().causes.at(0).why;
  };
  EXPECT_TRUE(Contains(why({1, 1, 2}), "half of a spectrum has at least 2 elements"));
  EXPECT_TRUE(Contains(why({1, 3, 3}), "a last axis of 1 or 2"));
}

TEST(Dft, RefusesALengthOfNothing) {
  ModelBuilder builder(17);
  builder.Input("x", {1, 2, 1}).Output("y", {-1, -1, -1});
  AddScalar(builder, "length", 0);
  builder.Node("DFT", {"x", "length"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "dft_length is 0"));
}

ModelBuilder MakeStft(const Names& inputs) {
  ModelBuilder builder(17);
  builder.Input("x", {1, 6, 1}).Output("y", {-1, -1, -1, -1}).Floats("window", {2}, {1, 3});
  AddScalar(builder, "step", 2);
  AddScalar(builder, "length", 2);
  builder.Node("STFT", inputs, {"y"});
  return builder;
}

TEST(Stft, MultipliesFramesWithTheWindow) {
  const Floats signal = {1, 2, 3, 4, 5, 6};
  ExpectNearSignal(MakeStft({"x", "step", "window"}).Run({signal}),
                   {7, 0, -5, 0, 15, 0, -9, 0, 23, 0, -13, 0});
  ExpectNearSignal(MakeStft({"x", "step", kSignalNothing, "length"}).Run({signal}),
                   {3, 0, -1, 0, 7, 0, -1, 0, 11, 0, -1, 0});
}

TEST(Stft, NeedsFramesThatFit) {
  const Diagnostic error = MakeStft({"x", "step"}).ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "neither a window nor a frame_length"));
}

TEST(WindowFunction, ReadsItsSizeAndPeriod) {
  ModelBuilder builder(17);
  builder.Output("y");
  AddScalar(builder, "size", 3);
  builder.Node("HannWindow", {"size"}, {"y"}).Int("periodic", 0);
  EXPECT_EQ(builder.GetOutputShape(), (TensorShape{3}));
}

TEST(MelWeightMatrix, RefusesABandBeyondHalfOfTheSampleRate) {
  ModelBuilder builder(17);
  builder.Output("y", {-1, -1});
  AddScalar(builder, "bands", 8);
  AddScalar(builder, "length", 16);
  AddScalar(builder, "rate", 8192);
  builder.Floats("low", {}, {0}).Floats("high", {}, {5000});
  builder.Node("MelWeightMatrix", {"bands", "length", "rate", "low", "high"}, {"y"});
  const Diagnostic error = builder.ImportError();
  EXPECT_EQ(error.code, DiagnosticCode::kInvalidModel);
  EXPECT_TRUE(Contains(error.causes.at(0).why, "half of the sample rate"));
}

}  // namespace
}  // namespace backplane::onnx::test
