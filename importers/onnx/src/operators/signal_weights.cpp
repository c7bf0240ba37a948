#include "nodes/node.hpp"
#include "operators/element_layers.hpp"
#include "operators/operator_table.hpp"
#include "operators/stated_attributes.hpp"
#include "tensors/data_types.hpp"
#include "values/elements.hpp"

#include <cmath>
#include <vector>

namespace backplane::onnx {
namespace {

// Triangles over the bins of a spectrum, evenly spaced on the mel scale.
struct MelScale {
  std::int64_t num_bands = 0;
  std::int64_t dft_length = 0;
  std::int64_t sample_rate = 0;
  double lowest_hertz = 0;
  double highest_hertz = 0;

  std::int64_t GetNumBins() const { return dft_length / 2 + 1; }
};

double ToMel(double hertz) {
  return 2595 * std::log10(1 + hertz / 700);
}

double ToHertz(double mel) {
  return 700 * (std::pow(10, mel / 2595) - 1);
}

double ReadHertz(const Node& node, std::size_t input, const char* meaning) {
  const std::vector<double> values = node.ReadConstantReals(input, meaning);
  if (values.size() == 1) return values[0];
  node.RefuseAsInvalid(std::string(meaning) + " has " + std::to_string(values.size()) +
                       " values; 1 is expected");
}

MelScale ReadScale(const Node& node) {
  MelScale scale;
  scale.num_bands = node.ReadConstantInt(0, "num_mel_bins");
  scale.dft_length = node.ReadConstantInt(1, "dft_length");
  scale.sample_rate = node.ReadConstantInt(2, "sample_rate");
  scale.lowest_hertz = ReadHertz(node, 3, "lower_edge_hertz");
  scale.highest_hertz = ReadHertz(node, 4, "upper_edge_hertz");
  constexpr std::int64_t kMost = std::int64_t{1} << 24;
  const auto is_count = [](std::int64_t value) { return value >= 1 && value <= kMost; };
  const bool is_band = scale.lowest_hertz >= 0 && scale.highest_hertz >= scale.lowest_hertz &&
                       2 * scale.highest_hertz <= static_cast<double>(scale.sample_rate);
  if (is_count(scale.num_bands) && is_count(scale.dft_length) && scale.sample_rate >= 1 &&
      is_band && scale.num_bands <= kMost / scale.GetNumBins()) {
    return scale;
  }
  node.RefuseAsInvalid(
      "num_mel_bins is " + std::to_string(scale.num_bands) + ", dft_length " +
      std::to_string(scale.dft_length) + ", sample_rate " + std::to_string(scale.sample_rate) +
      ", and the band is from " + std::to_string(scale.lowest_hertz) + " to " +
      std::to_string(scale.highest_hertz) +
      " Hz; numbers of 1 or more, at most 2^24 weights, and a band from 0 Hz to half of the sample "
      "rate are expected");
}

// The bins in which triangle i begins, peaks and ends are those at i, i + 1 and i + 2.
std::vector<std::int64_t> FindCorners(const MelScale& scale) {
  const double lowest = ToMel(scale.lowest_hertz);
  const double step =
      (ToMel(scale.highest_hertz) - lowest) / static_cast<double>(scale.num_bands + 2);
  std::vector<std::int64_t> corners;
  for (std::int64_t i = 0; i < scale.num_bands + 2; ++i) {
    const double hertz = ToHertz(lowest + static_cast<double>(i) * step);
    const double bin =
        static_cast<double>(scale.dft_length + 1) * hertz / static_cast<double>(scale.sample_rate);
    corners.push_back(static_cast<std::int64_t>(std::floor(bin)));
  }
  return corners;
}

double GetWeight(std::int64_t bin, std::int64_t begin, std::int64_t peak, std::int64_t end) {
  if (bin == peak) return 1;
  if (bin < begin || bin >= end) return 0;
  return bin < peak ? static_cast<double>(bin - begin) / static_cast<double>(peak - begin)
                    : static_cast<double>(end - bin) / static_cast<double>(end - peak);
}

// Of integers, the window is made in float64 and cast.
void ConvertWindow(Node& node, WindowFunction function) {
  const DataType type = ReadOutputType(node);
  WindowFunctionDescriptor descriptor;
  descriptor.function = function;
  descriptor.size = node.ReadConstantInt(0, "size");
  descriptor.is_periodic = node.GetAttributes().GetFlag("periodic", true) ? 1 : 0;
  descriptor.data_type = IsFloat(type) ? type : DataType::kFloat64;
  const OutputSlot window = node.AddLayer<LayerType::kWindowFunction>(descriptor, {});
  node.SetOutput(AddCast(node, window, type, "/cast"));
}

}  // namespace

void ConvertMelWeightMatrix(Node& node) {
  const DataType type = ReadOutputType(node);
  const MelScale scale = ReadScale(node);
  const auto num_weights = static_cast<std::uint64_t>(scale.GetNumBins() * scale.num_bands);
  if (!node.TakeMemory(num_weights * sizeof(double))) {
    node.RefuseAsUnsupported("it needs more memory for its " + std::to_string(num_weights) +
                             " weights than is taken for what the file does not hold");
  }
  const std::vector<std::int64_t> corners = FindCorners(scale);
  std::vector<double> weights;
  for (std::int64_t bin = 0; bin < scale.GetNumBins(); ++bin) {
    for (std::size_t band = 0; band + 2 < corners.size(); ++band) {
      weights.push_back(GetWeight(bin, corners[band], corners[band + 1], corners[band + 2]));
    }
  }
  node.SetOutput(MakeElements(TensorInfo({scale.GetNumBins(), scale.num_bands}, type), weights));
}

void ConvertHannWindow(Node& node) {
  ConvertWindow(node, WindowFunction::kHann);
}

void ConvertHammingWindow(Node& node) {
  ConvertWindow(node, WindowFunction::kHamming);
}

void ConvertBlackmanWindow(Node& node) {
  ConvertWindow(node, WindowFunction::kBlackman);
}

}  // namespace backplane::onnx
