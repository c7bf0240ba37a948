#include "conformance/limits.hpp"
#include "simd/simd.hpp"
#include "test/attention_case.hpp"

#include <gtest/gtest.h>
#include <backplane/api/descriptors/softmax.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace backplane {
namespace cpuacc_test {
namespace {

using cpuacc::InstructionSet;

constexpr float kLowestFloat = std::numeric_limits<float>::lowest();

/// Masks whose numbers hide elements by turns: networks write very low ones, and mix them.
const std::vector<std::vector<float>> kRowMasks = {{-1.0e10F},
                                                   {-1.0e30F},
                                                   {kLowestFloat},
                                                   {-kInfinity},
                                                   {-1.0e10F, -1.0e30F, kLowestFloat, -kInfinity}};

const float kRowFactors[] = {0.3F, 0.125F, 1.0F / std::sqrt(64.0F), 1.0F, 3.0F, 1.0e-3F};

enum class HiddenElements { kWhole, kPartly };

/// Rows in which all elements are hidden, or two of three.
std::vector<float> MakeMaskedRows(const TensorShape& shape, const std::vector<float>& mask,
                                  HiddenElements hidden) {
  std::vector<float> elements(static_cast<std::size_t>(shape.GetNumElements()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool is_hidden = hidden == HiddenElements::kWhole || i % 3 != 0;
    elements[i] = is_hidden ? mask[i % mask.size()] : static_cast<float>(i % 7) - 3.0F;
  }
  return elements;
}

/// Calls `body(mask, factor, hidden)` for all of them.
template <typename Body>
void ForMasks(const Body& body) {
  for (const auto& mask : kRowMasks) {
    for (const float factor : kRowFactors) {
      for (const HiddenElements hidden : {HiddenElements::kWhole, HiddenElements::kPartly}) {
        SCOPED_TRACE(std::to_string(mask[0]) + ", " + std::to_string(mask.size()) + " masks, by " +
                     std::to_string(factor) +
                     (hidden == HiddenElements::kWhole ? ", whole" : ", partly"));
        body(mask, factor, hidden);
      }
    }
  }
}

/// The logarithms of probabilities along one axis, in double.
std::vector<double> FindLogarithms(const std::vector<float>& x, const TensorShape& shape,
                                   std::uint32_t axis, float factor) {
  std::size_t step = 1;
  for (std::uint32_t i = axis + 1; i < shape.rank; ++i) step *= static_cast<std::size_t>(shape[i]);
  const auto length = static_cast<std::size_t>(shape[axis]);
  std::vector<double> logarithms;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t first = i / (step * length) * step * length + i % step;
    const auto exponent = [&](std::size_t at) {
      return static_cast<double>(factor) * static_cast<double>(x[at]);
    };
    double greatest = exponent(first);
    for (std::size_t k = 1; k < length; ++k) {
      greatest = std::max(greatest, exponent(first + k * step));
    }
    double sum = 0.0;
    for (std::size_t k = 0; k < length; ++k) sum += std::exp(exponent(first + k * step) - greatest);
    logarithms.push_back(exponent(i) - greatest - std::log(sum));
  }
  return logarithms;
}

std::vector<double> ExponentialsOf(std::vector<double> numbers) {
  std::transform(numbers.begin(), numbers.end(), numbers.begin(),
                 [](double number) { return std::exp(number); });
  return numbers;
}

/// Runs one layer that gives its shape.
StoredTensor RunMaskedRows(LayerType type, const SoftmaxDescriptor& softmax,
                           const StoredTensor& input) {
  NetworkCase network;
  const TensorShape& shape = input.info.shape;
  network.AddOutput(network.Add(type, softmax, {network.AddInput(shape)}, shape));
  return RunCompiled(network.GetGraph(), {input}, cpuacc::Options())[0];
}

void ExpectMaskedRows(const TensorShape& shape, std::uint32_t axis) {
  ForMasks([&](const std::vector<float>& mask, float factor, HiddenElements hidden) {
    const std::vector<float> elements = MakeMaskedRows(shape, mask, hidden);
    const StoredTensor input = MakeStored(Float(shape), elements);
    SoftmaxDescriptor softmax;
    softmax.axis = axis;
    softmax.beta = factor;
    const std::vector<double> logarithms = FindLogarithms(elements, shape, axis, factor);
    ExpectClose(RunMaskedRows(LayerType::kSoftmax, softmax, input), ExponentialsOf(logarithms),
                Precision::kFast);
    // Beside the greatest, lower logarithms may be beyond float32.
    if (mask.size() == 1 && factor <= 1.0F) {
      ExpectClose(RunMaskedRows(LayerType::kLogSoftmax, softmax, input), logarithms,
                  Precision::kFast);
    }
  });
}

TEST(MaskedRows, HaveTheSharesOfTheirExponents) {
  for (const TensorShape& shape : {TensorShape{3, 12}, {3, 27}, {2, 300}}) {
    SCOPED_TRACE(shape[1]);
    ExpectMaskedRows(shape, 1);
  }
}

TEST(MaskedRows, AreColumnsAsWell) {
  ExpectMaskedRows({12, 20}, 0);
  ExpectMaskedRows({2, 30, 3}, 1);
}

/// A product that becomes infinite where it is computed by itself.
bool HasInfiniteProduct(const std::vector<float>& mask, float factor) {
  return std::any_of(mask.begin(), mask.end(), [factor](float number) {
    return std::isfinite(number) && !std::isfinite(number * factor);
  });
}

TEST(MaskedRows, AreScaledByALayerBefore) {
  const TensorShape shape = {4, 27};
  ForMasks([&](const std::vector<float>& mask, float factor, HiddenElements hidden) {
    if (HasInfiniteProduct(mask, factor)) return;
    NetworkCase network;
    const TensorId scaled =
        AddBinary(network, BinaryOperation::kMul, network.AddInput(shape), factor);
    network.AddOutput(AddSoftmax(network, scaled));
    const StoredTensor input = MakeStored(Float(shape), MakeMaskedRows(shape, mask, hidden));
    const std::vector<StoredTensor> found =
        RunCompiled(network.GetGraph(), {input}, cpuacc::Options());
    ExpectSame(found, RunOnCpuRef(network.GetGraph(), {input}), Precision::kFast);
  });
}

/// Exponentials of what is left when the greatest product is taken from products, over two axes,
/// which no Softmax has.
TEST(MaskedRows, HaveExponentialsOfDifferences) {
  const TensorShape shape = {4, 3, 9};
  ForMasks([&](const std::vector<float>& mask, float factor, HiddenElements hidden) {
    if (HasInfiniteProduct(mask, factor)) return;
    NetworkCase network;
    const TensorId scaled =
        AddBinary(network, BinaryOperation::kMul, network.AddInput(shape), factor);
    const TensorId greatest = AddReduce(network, ReduceOperation::kMaximum, scaled, 1);
    const TensorId differences = AddBinary(network, BinaryOperation::kSub, scaled, greatest);
    network.AddOutput(AddUnary(network, differences, UnaryOperation::kExp));
    const StoredTensor input = MakeStored(Float(shape), MakeMaskedRows(shape, mask, hidden));
    const std::vector<StoredTensor> found =
        RunCompiled(network.GetGraph(), {input}, cpuacc::Options());
    ExpectSame(found, RunOnCpuRef(network.GetGraph(), {input}), Precision::kFast);
  });
}

/// Runs a network whose last input is a mask of this shape.
void ExpectMaskedAsCpuRef(NetworkCase& network, const TensorShape& shape,
                          const std::vector<float>& mask) {
  std::vector<StoredTensor> inputs = MakeInputs(network.GetGraph(), network.GetRandom());
  inputs.back() = MakeStored(Float(shape), mask);
  ExpectSame(RunCompiled(network.GetGraph(), inputs, cpuacc::Options()),
             RunOnCpuRef(network.GetGraph(), inputs), Precision::kFast);
}

TEST(MaskedRows, AreAddedToScoresOfAttention) {
  for (const TensorShape& shape : {TensorShape{2, 27}, {2, 150}, {9, 27}, {70, 150}}) {
    ForMasks([&](const std::vector<float>& mask, float factor, HiddenElements hidden) {
      NetworkCase network;
      const Heads heads = AddHeads(network, {2}, shape[0], shape[1], 8);
      const TensorId scores = AddScores(network, heads, factor);
      FinishAttention(network, heads,
                      AddBinary(network, BinaryOperation::kAdd, scores, network.AddInput(shape)));
      EXPECT_EQ(ListNodes(network), std::vector<std::string>{"Attention"});
      ExpectMaskedAsCpuRef(network, shape, MakeMaskedRows(shape, mask, hidden));
    });
  }
}

/// The scale stands behind the mask: it is left to the Softmax.
TEST(MaskedRows, AreAddedToScoresThatAreScaledLater) {
  const TensorShape shape = {9, 27};
  ForMasks([&](const std::vector<float>& mask, float factor, HiddenElements hidden) {
    if (HasInfiniteProduct(mask, factor)) return;
    NetworkCase network;
    const Heads heads = AddHeads(network, {2}, shape[0], shape[1], 8);
    const TensorId scores = AddProduct(network, heads.queries, heads.keys, 1);
    const TensorId masked =
        AddBinary(network, BinaryOperation::kAdd, scores, network.AddInput(shape));
    FinishAttention(network, heads, AddBinary(network, BinaryOperation::kMul, masked, factor));
    ExpectMaskedAsCpuRef(network, shape, MakeMaskedRows(shape, mask, hidden));
  });
}

class MaskedRowsOf : public testing::TestWithParam<InstructionSet> {};

TEST_P(MaskedRowsOf, HaveExponentialsAsInDouble) {
  const cpuacc::SimdFunctions* functions = cpuacc::FindSimdFunctions(GetParam());
  if (functions == nullptr) GTEST_SKIP() << "this processor has no such instructions";
  ForMasks([&](const std::vector<float>& mask, float factor, HiddenElements hidden) {
    const std::vector<float> row = MakeMaskedRows({37}, mask, hidden);
    const float greatest = *std::max_element(row.begin(), row.end());
    std::vector<float> found(row.size());
    functions->rows.store_exponentials(row.data(), found.data(), 37, factor, greatest);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double expected = std::exp(static_cast<double>(factor) * static_cast<double>(row[i]) -
                                       static_cast<double>(factor) * static_cast<double>(greatest));
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(found[i])) << "element " << i;
      } else {
        EXPECT_NEAR(static_cast<double>(found[i]), expected, 1.0e-5) << "element " << i;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Softmax, MaskedRowsOf,
                         testing::Values(InstructionSet::kBaseline, InstructionSet::kAvx2,
                                         InstructionSet::kAvx512));

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
