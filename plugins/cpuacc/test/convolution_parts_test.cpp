// Convolutions cut in each of the ways that there are, beside the whole, to the bit.

#include "convolutions/convolution_parts.hpp"
#include "library/engine.hpp"
#include "test/parts_case.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::ConvolutionPart;
using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;
using ConvolutionDesc = dnnl::convolution_forward::primitive_desc;

struct ConvolutionSizes {
  std::int64_t images = 1;
  std::int64_t groups = 1;
  std::int64_t channels = 1;  // of a group
  std::int64_t filters = 1;   // of a group
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
  std::int64_t pad_end = 0;
};

struct ConvolutionTypes {
  Type input = Type::f32;
  Type output = Type::f32;
  Tag layout = Tag::nhwc;
  bool has_scales = false;      // one for each filter
  bool has_zero_point = false;  // known in the run
};

constexpr ConvolutionTypes kFloats = {};
constexpr ConvolutionTypes kBlockedFloats = {Type::f32, Type::f32, Tag::nChw16c};
constexpr ConvolutionTypes kQuantised = {Type::u8, Type::u8, Tag::nhwc, true};
constexpr ConvolutionTypes kSums = {Type::u8, Type::f32, Tag::nhwc, false, true};

class ConvolutionToCut {
 public:
  ConvolutionToCut(const ConvolutionSizes& sizes, const ConvolutionTypes& types, OpsCase ops)
      : sizes_(sizes), pads_begin_(2, sizes.pad_begin), pads_end_(2, sizes.pad_end) {
    const std::int64_t channels = sizes.groups * sizes.channels;
    const std::int64_t filters = sizes.groups * sizes.filters;
    const bool is_float = types.input == Type::f32;
    const memory::desc input({sizes.images, channels, sizes.height, sizes.width}, types.input,
                             types.layout);
    const memory::desc output(
        {sizes.images, filters, CountPlaces(sizes.height), CountPlaces(sizes.width)}, types.output,
        types.layout);
    memory::dims weights = {sizes.filters, sizes.channels, sizes.kernel, sizes.kernel};
    if (sizes.groups > 1) weights.insert(weights.begin(), sizes.groups);
    const memory::desc bias({filters}, is_float ? Type::f32 : Type::s32, Tag::a);
    dnnl::primitive_attr attributes = MakeAttributesOf(ops, output, 1, parts_);
    if (types.has_scales) {
      std::vector<float> scales;
      for (std::int64_t i = 0; i < filters; ++i) scales.push_back(0.001F * static_cast<float>(i));
      attributes.set_output_scales(1 << 1, scales);
    }
    if (types.has_zero_point) {
      attributes.set_zero_points(DNNL_ARG_SRC, 0, {DNNL_RUNTIME_S32_VAL});
      parts_.AddInput(DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC,
                      memory::desc({1}, Type::s32, Tag::a));
    }
    const memory::desc any(weights, is_float ? Type::f32 : Type::s8, Tag::any);
    whole_ = Describe(input, any, bias, output, attributes, pads_begin_, pads_end_);
    if (!whole_) return;
    parts_.AddInput(DNNL_ARG_SRC, input);
    parts_.AddInput(DNNL_ARG_WEIGHTS, whole_.weights_desc());
    parts_.AddInput(DNNL_ARG_BIAS, bias);
    parts_.SetOutput(output);
  }

  /// Not by products of matrices, to which oneDNN 2.6 adds operands wrongly where channels lie
  /// last.
  bool IsThere() const {
    if (!whole_) return false;
    const std::string name = whole_.impl_info_str();
    return KeepsOrder(name) && name.find("ref") == std::string::npos;
  }

  /// Whether oneDNN has, on this processor, something slower for a part.
  bool IsRefused() const { return is_refused_; }

  cpuacc::ConvolutionCuts GetCuts(bool has_channels, bool has_rows) const {
    cpuacc::ConvolutionCuts cuts;
    cuts.has_channels = has_channels;
    cuts.has_rows = has_rows;
    cuts.stride = sizes_.stride;
    cuts.row_extent = (sizes_.kernel - 1) * sizes_.dilation + 1;
    return cuts;
  }

  std::vector<cpuacc::PrimitivePart> Cut(const cpuacc::ConvolutionCuts& cuts, int num_threads) {
    return cpuacc::MakeConvolutionParts(
        {parts_.GetArguments(), pads_begin_, pads_end_}, cuts, num_threads,
        [&](const ConvolutionPart& part) { return MakePart(part); });
  }

  std::vector<float> Run(const std::vector<cpuacc::PrimitivePart>& parts, int num_threads) {
    const std::vector<unsigned char> bytes =
        parts_.Run(*cpuacc::MakePartsKernel(parts), num_threads);
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  void ExpectSameAsWhole(std::vector<cpuacc::PrimitivePart> parts, int num_threads) {
    const auto whole = cpuacc::MakePrimitiveKernel(dnnl::convolution_forward(whole_),
                                                   parts_.GetArguments(), whole_.scratchpad_desc());
    const auto cut = cpuacc::MakePartsKernel(std::move(parts));
    ExpectSameResults(parts_.Run(*cut, num_threads), parts_.Run(*whole, 1),
                      whole_.dst_desc().data_type(), whole_.impl_info_str());
  }

 private:
  std::int64_t CountPlaces(std::int64_t extent) const {
    const std::int64_t window = (sizes_.kernel - 1) * sizes_.dilation + 1;
    return (extent + sizes_.pad_begin + sizes_.pad_end - window) / sizes_.stride + 1;
  }

  ConvolutionDesc Describe(const memory::desc& input, const memory::desc& weights,
                           const memory::desc& bias, const memory::desc& output,
                           const dnnl::primitive_attr& attributes, const memory::dims& pads_begin,
                           const memory::dims& pads_end) const {
    const memory::dims strides(2, sizes_.stride);
    const memory::dims dilations(2, sizes_.dilation - 1);
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, input, weights,
        bias, output, strides, dilations, pads_begin, pads_end);
    return ConvolutionDesc(desc, attributes, cpuacc::GetEngine(), true);
  }

  std::optional<cpuacc::PrimitivePart> MakePart(const ConvolutionPart& part) {
    std::vector<cpuacc::PrimitiveArgument> arguments = part.arguments;
    dnnl::primitive_attr attributes = whole_.get_primitive_attr();
    attributes.set_post_ops(cpuacc::TakeOperands(attributes.get_post_ops(), arguments));
    const auto find = [&](int id) { return cpuacc::FindDesc(arguments, id); };
    const ConvolutionDesc desc =
        Describe(find(DNNL_ARG_SRC), find(DNNL_ARG_WEIGHTS), find(DNNL_ARG_BIAS),
                 find(DNNL_ARG_DST), attributes, part.pads_begin, part.pads_end);
    is_refused_ = !desc || std::string(desc.impl_info_str()) != whole_.impl_info_str();
    if (is_refused_) return {};
    return cpuacc::PrimitivePart{dnnl::convolution_forward(desc), std::move(arguments),
                                 desc.scratchpad_desc()};
  }

  const ConvolutionSizes sizes_;
  const memory::dims pads_begin_;
  const memory::dims pads_end_;
  PartsCase parts_;
  ConvolutionDesc whole_;
  bool is_refused_ = false;
};

/// Which cut is allowed, for how many threads, and into how many parts it cuts.
struct CutCase {
  bool has_channels;
  bool has_rows;
  int num_threads;
  std::size_t num_parts;
};

void ExpectCut(const ConvolutionSizes& sizes, const ConvolutionTypes& types, const CutCase& cut) {
  for (const OpsCase ops : kAllOps) {
    SCOPED_TRACE(std::to_string(cut.num_threads) + " threads, ops " +
                 std::to_string(static_cast<int>(ops)) + ", layout " +
                 std::to_string(static_cast<int>(types.layout)) +
                 (types.has_scales       ? ", scales"
                  : types.has_zero_point ? ", sums"
                                         : ""));
    ConvolutionToCut convolution(sizes, types, ops);
    if (!convolution.IsThere()) continue;  // not on this processor
    auto parts =
        convolution.Cut(convolution.GetCuts(cut.has_channels, cut.has_rows), cut.num_threads);
    if (convolution.IsRefused()) continue;
    ASSERT_EQ(parts.size(), cut.num_parts);
    if (!parts.empty()) convolution.ExpectSameAsWhole(std::move(parts), cut.num_threads);
  }
}

TEST(ConvolutionParts, AreImages) {
  const ConvolutionSizes sizes = {5, 1, 19, 35, 9, 7, 3, 1, 1, 1, 1};
  for (const ConvolutionTypes& types : {kFloats, kBlockedFloats, kQuantised, kSums}) {
    ExpectCut(sizes, types, {false, false, 2, 4});
    ExpectCut(sizes, types, {false, false, 3, 5});
    ExpectCut({5, 4, 8, 8, 9, 7, 3, 2, 1, 1, 0}, types, {false, false, 5, 5});
  }
}

/// Whole blocks of filters; the last may be filled up.
TEST(ConvolutionParts, AreChannels) {
  const ConvolutionSizes sizes = {1, 1, 19, 96, 9, 7, 3, 1, 1, 1, 1};
  ExpectCut(sizes, kBlockedFloats, {true, false, 2, 2});
  ExpectCut(sizes, kBlockedFloats, {true, false, 4, 6});
  ExpectCut({1, 1, 19, 75, 9, 7, 1}, kBlockedFloats, {true, false, 3, 5});
  ExpectCut({1, 1, 19, 15, 9, 7, 3, 1, 1, 1, 1}, kBlockedFloats, {true, false, 3, 0});
}

/// What oneDNN keeps beside the weights for their zero points cannot be cut.
TEST(ConvolutionParts, AreNoChannelsOfWeightsWithSums) {
  ExpectCut({1, 1, 19, 96, 9, 7, 3, 1, 1, 1, 1}, kSums, {true, false, 2, 0});
}

TEST(ConvolutionParts, AreGroups) {
  ExpectCut({1, 6, 16, 16, 9, 7, 3, 1, 1, 1, 1}, kBlockedFloats, {true, false, 2, 2});
  ExpectCut({1, 5, 16, 32, 9, 7, 3, 2, 1, 1, 1}, kBlockedFloats, {true, false, 2, 4});
  ExpectCut({1, 70, 1, 1, 9, 7, 3, 1, 1, 1, 1}, kBlockedFloats, {true, false, 2, 4});
  ExpectCut({1, 70, 1, 1, 9, 7, 5, 1, 1, 2, 2}, kBlockedFloats, {true, false, 3, 5});
}

/// With padding at both ends, at one and at none, and rows that nobody reads.
TEST(ConvolutionParts, AreRows) {
  const std::vector<ConvolutionSizes> kSizes = {
      {1, 1, 19, 16, 23, 7, 3, 1, 1, 1, 1},
      {1, 1, 32, 16, 23, 7, 3, 2, 1, 1, 0},
      {1, 1, 40, 16, 24, 11, 5, 1, 2, 4, 4},
      {1, 1, 3, 16, 41, 9, 3, 3, 1, 0, 2},
      {1, 1, 19, 16, 9, 7, 1},
      {1, 16, 1, 1, 23, 7, 3, 1, 1, 1, 1},
  };
  for (const ConvolutionSizes& sizes : kSizes) {
    SCOPED_TRACE(std::to_string(sizes.channels) + " channels, stride " +
                 std::to_string(sizes.stride));
    for (const ConvolutionTypes& types : {kBlockedFloats, kQuantised, kSums}) {
      ExpectCut(sizes, types, {false, true, 2, 4});
      ExpectCut(sizes, types, {false, true, 4, 8});
    }
  }
}

/// Filters of several blocks lie between the rows.
TEST(ConvolutionParts, AreNoRowsOfSeveralPlanes) {
  ExpectCut({1, 1, 19, 48, 23, 7, 3, 1, 1, 1, 1}, kBlockedFloats, {false, true, 2, 0});
  ExpectCut({1, 1, 19, 48, 23, 7, 3, 1, 1, 1, 1}, kQuantised, {false, true, 2, 4});
}

TEST(ConvolutionParts, AreImagesAndChannels) {
  ExpectCut({2, 1, 19, 64, 9, 7, 3, 1, 1, 1, 1}, kBlockedFloats, {true, false, 4, 8});
}

/// One image of whole blocks, whose parts lie dense.
constexpr ConvolutionSizes kOneImage = {1, 1, 19, 96, 9, 7, 3, 1, 1, 1, 1};

TEST(ConvolutionParts, AreAsManyAsAskedFor) {
  for (const int num_threads : {1, 2}) {
    ConvolutionToCut image(kOneImage, kBlockedFloats, OpsCase::kResidual);
    if (!image.IsThere()) GTEST_SKIP() << "not on this processor";
    cpuacc::ConvolutionCuts cuts = image.GetCuts(true, true);
    cuts.least_parts = 6;
    auto parts = image.Cut(cuts, num_threads);
    if (image.IsRefused()) continue;
    EXPECT_EQ(parts.size(), 6U);
    image.ExpectSameAsWhole(std::move(parts), num_threads);
    ConvolutionToCut images({3, 1, 19, 96, 9, 7, 3, 1, 1, 1, 1}, kBlockedFloats, OpsCase::kNone);
    cuts.least_parts = 5;  // two of each image
    parts = images.Cut(cuts, num_threads);
    EXPECT_EQ(parts.size(), 6U);
    images.ExpectSameAsWhole(std::move(parts), num_threads);
  }
}

TEST(ConvolutionParts, RunAFunctionBehind) {
  const cpuacc::PartFunction half = {
      [](const float* x, float* y, std::int64_t count, float factor, float) {
        for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] * factor;
      },
      0.5F};
  ConvolutionToCut image(kOneImage, kBlockedFloats, OpsCase::kRelu);
  if (!image.IsThere()) GTEST_SKIP() << "not on this processor";
  auto parts = image.Cut(image.GetCuts(true, false), 4);
  if (image.IsRefused()) GTEST_SKIP() << "not in parts on this processor";
  const std::vector<float> before = image.Run(parts, 4);
  ASSERT_TRUE(cpuacc::RunBehind(half, parts));
  const std::vector<float> after = image.Run(parts, 4);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], before[i] * 0.5F) << i;
}

/// Channels that are the last axis have those of other parts between them, and what no cache holds
/// is better done at once.
TEST(ConvolutionParts, RunNoFunctionBehindWhatIsNotDenseOrLarge) {
  cpuacc::PartFunction function;
  function.map = [](const float*, float*, std::int64_t, float, float) {};
  const memory::desc large({1, 16, 512, 512}, Type::f32, Tag::nChw16c);
  const memory::desc small({1, 32, 9, 7}, Type::f32, Tag::nChw16c);
  cpuacc::PrimitiveArgument half =
      cpuacc::FromOutput(DNNL_ARG_DST, memory::desc({1, 96, 9, 7}, Type::f32, Tag::nhwc));
  ASSERT_TRUE(cpuacc::CutAxis(half, 1, {0, 48}));
  for (const memory::desc& other : {half.desc, large, small}) {
    std::vector<cpuacc::PrimitivePart> parts(2);
    parts[0].arguments = {cpuacc::FromOutput(DNNL_ARG_DST, small)};
    parts[1].arguments = {cpuacc::FromOutput(DNNL_ARG_DST, other)};
    const bool is_run = other == small;
    EXPECT_EQ(cpuacc::RunBehind(function, parts), is_run);
    for (const cpuacc::PrimitivePart& part : parts) {
      EXPECT_EQ(part.function.map != nullptr, is_run);
      EXPECT_EQ(part.function.count, is_run ? 32 * 9 * 7 : 0);
    }
  }
}

TEST(ConvolutionParts, AreNoneForOneThread) {
  ExpectCut({5, 1, 19, 96, 9, 7, 3, 1, 1, 1, 1}, kFloats, {true, true, 1, 0});
}

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
