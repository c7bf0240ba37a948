#include "operator_case.hpp"

namespace bench {
namespace {

using namespace backplane;

constexpr int kSteps = 32;
constexpr int kSequences = 8;
constexpr int kInputs = 128;
constexpr int kHidden = 256;

template <typename Descriptor>
OperatorCase MakeRecurrent(const char* name, LayerType type, int num_gates) {
  const double products = 2.0 * num_gates * kHidden * (kInputs + kHidden);
  return {name,
          type,
          Describe<Descriptor>([](auto& d) { d.has_bias = 1; }),
          {Float({kSteps, kSequences, kInputs}), Weights({1, num_gates * kHidden, kInputs}),
           Weights({1, num_gates * kHidden, kHidden}), Weights({1, 2 * num_gates * kHidden})},
          products * kSteps * kSequences};
}

OperatorCase MakeResize(const char* name, Interpolation interpolation) {
  return {name,
          LayerType::kResize,
          Describe<ResizeDescriptor>([&](auto& d) {
            d.interpolation = interpolation;
            d.rank = 4;
            d.extents[0] = 1;
            d.extents[1] = 64;
            d.extents[2] = d.extents[3] = 112;
          }),
          {Float({1, 64, 56, 56})}};
}

OperatorCase MakeTransform(const char* name, std::int64_t length) {
  return {name,
          LayerType::kDft,
          Describe<DftDescriptor>([](auto& d) { d.axis = 1; }),
          {Float({256, length, 2})}};
}

}  // namespace

std::vector<OperatorCase> MakeSequenceCases() {
  std::vector<OperatorCase> cases = {
      MakeRecurrent<LstmDescriptor>("LSTM, 32 steps of 8, 128 to 256", LayerType::kLstm, 4),
      MakeRecurrent<GruDescriptor>("GRU, 32 steps of 8, 128 to 256", LayerType::kGru, 3),
      MakeRecurrent<RnnDescriptor>("RNN, 32 steps of 8, 128 to 256", LayerType::kRnn, 1),
      MakeResize("resize 56x56 to 112x112, nearest", Interpolation::kNearest),
      MakeResize("resize 56x56 to 112x112, linear", Interpolation::kLinear),
      MakeResize("resize 56x56 to 112x112, cubic", Interpolation::kCubic),
      MakeTransform("256 Fourier transforms of 512", 512),
      MakeTransform("256 Fourier transforms of 480", 480),
      MakeTransform("256 Fourier transforms of 509, a prime", 509),
  };
  cases.push_back({"grid sample, linear",
                   LayerType::kGridSample,
                   Describe<GridSampleDescriptor>(),
                   {Float({1, 64, 56, 56}), Float({1, 56, 56, 2})}});
  cases.push_back({"reverse sequences",
                   LayerType::kReverseSequence,
                   Describe<ReverseSequenceDescriptor>(),
                   {Float({64, 128, 128}), Indices({64}, 128)}});
  return cases;
}

}  // namespace bench
