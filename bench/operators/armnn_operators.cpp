// The same layers on the peer's reference backend, where both have them. Prints as operators.cpp.

#include "adaptive_timing.hpp"
#include "window_sizes.hpp"

#include <armnn/ArmNN.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

armnn::TensorInfo MakeInfo(const std::vector<unsigned int>& shape) {
  return {static_cast<unsigned int>(shape.size()), shape.data(), armnn::DataType::Float32};
}

/// A constant with its data.
struct Constant {
  explicit Constant(const std::vector<unsigned int>& shape)
      : info(MakeInfo(shape)), data(info.GetNumElements(), 0.25F), tensor(info, data.data()) {}

  armnn::TensorInfo info;
  std::vector<float> data;
  armnn::ConstTensor tensor;
};

/// A network of one layer between an input and an output.
class OneLayer {
 public:
  OneLayer(armnn::IRuntime& runtime, const armnn::TensorInfo& input,
           const armnn::TensorInfo& output)
      : runtime_(runtime),
        network_(armnn::INetwork::Create()),
        input_(input),
        output_(output),
        input_data_(input.GetNumElements(), 0.5F),
        output_data_(output.GetNumElements()) {}

  armnn::INetwork& GetNetwork() { return *network_; }

  double MeasureMicroseconds(armnn::IConnectableLayer* layer, double seconds) {
    armnn::IConnectableLayer* input = network_->AddInputLayer(0);
    input->GetOutputSlot(0).SetTensorInfo(input_);
    input->GetOutputSlot(0).Connect(layer->GetInputSlot(0));
    layer->GetOutputSlot(0).SetTensorInfo(output_);
    layer->GetOutputSlot(0).Connect(network_->AddOutputLayer(0)->GetInputSlot(0));
    armnn::NetworkId id = 0;
    runtime_.LoadNetwork(
        id, armnn::Optimize(*network_, {armnn::BackendId("CpuRef")}, runtime_.GetDeviceSpec()));
    const armnn::InputTensors inputs{{0, armnn::ConstTensor(input_, input_data_.data())}};
    const armnn::OutputTensors outputs{{0, armnn::Tensor(output_, output_data_.data())}};
    const double took = bench::MeasureMedianMicroseconds(
        [&] {
          if (runtime_.EnqueueWorkload(id, inputs, outputs) != armnn::Status::Success) std::abort();
        },
        seconds);
    runtime_.UnloadNetwork(id);
    return took;
  }

 private:
  armnn::IRuntime& runtime_;
  armnn::INetworkPtr network_;
  const armnn::TensorInfo input_;
  const armnn::TensorInfo output_;
  std::vector<float> input_data_;
  std::vector<float> output_data_;
};

unsigned int Word(int number) {
  return static_cast<unsigned int>(number);
}

template <typename Descriptor>
Descriptor MakeWindow(int stride, int pad) {
  Descriptor descriptor;
  descriptor.m_StrideX = descriptor.m_StrideY = Word(stride);
  descriptor.m_PadLeft = descriptor.m_PadRight = Word(pad);
  descriptor.m_PadTop = descriptor.m_PadBottom = Word(pad);
  descriptor.m_DataLayout = armnn::DataLayout::NCHW;
  return descriptor;
}

double Measure(armnn::IRuntime& runtime, const bench::ConvolutionSize& size, double seconds) {
  const auto image = [](int channels, int extent) {
    return MakeInfo({1, Word(channels), Word(extent), Word(extent)});
  };
  OneLayer network(runtime, image(size.channels, size.extent),
                   image(size.filters, size.OutputExtent()));
  const Constant weights({size.is_depthwise ? 1 : Word(size.filters), Word(size.channels),
                          Word(size.kernel), Word(size.kernel)});
  const Constant bias({Word(size.filters)});
  const armnn::Optional<armnn::ConstTensor> given_bias(bias.tensor);
  if (size.is_depthwise) {
    auto descriptor = MakeWindow<armnn::DepthwiseConvolution2dDescriptor>(size.stride, size.Pad());
    descriptor.m_BiasEnabled = true;
    return network.MeasureMicroseconds(
        network.GetNetwork().AddDepthwiseConvolution2dLayer(descriptor, weights.tensor, given_bias),
        seconds);
  }
  auto descriptor = MakeWindow<armnn::Convolution2dDescriptor>(size.stride, size.Pad());
  descriptor.m_BiasEnabled = true;
  return network.MeasureMicroseconds(
      network.GetNetwork().AddConvolution2dLayer(descriptor, weights.tensor, given_bias), seconds);
}

double Measure(armnn::IRuntime& runtime, const bench::FullyConnectedSize& size, double seconds) {
  OneLayer network(runtime, MakeInfo({Word(size.rows), Word(size.inputs)}),
                   MakeInfo({Word(size.rows), Word(size.outputs)}));
  armnn::FullyConnectedDescriptor descriptor;
  descriptor.m_BiasEnabled = true;
  descriptor.m_TransposeWeightMatrix = true;
  const Constant weights({Word(size.outputs), Word(size.inputs)});
  const Constant bias({Word(size.outputs)});
  return network.MeasureMicroseconds(
      network.GetNetwork().AddFullyConnectedLayer(descriptor, weights.tensor,
                                                  armnn::Optional<armnn::ConstTensor>(bias.tensor)),
      seconds);
}

double Measure(armnn::IRuntime& runtime, const bench::PoolingSize& size, double seconds) {
  const auto image = [&](int extent) {
    return MakeInfo({1, Word(size.channels), Word(extent), Word(extent)});
  };
  OneLayer network(runtime, image(size.extent), image(size.OutputExtent()));
  auto descriptor = MakeWindow<armnn::Pooling2dDescriptor>(size.stride, size.pad);
  descriptor.m_PoolType =
      size.is_average ? armnn::PoolingAlgorithm::Average : armnn::PoolingAlgorithm::Max;
  descriptor.m_PoolWidth = descriptor.m_PoolHeight = Word(size.kernel);
  descriptor.m_PaddingMethod = armnn::PaddingMethod::Exclude;
  return network.MeasureMicroseconds(network.GetNetwork().AddPooling2dLayer(descriptor), seconds);
}

struct Filter {
  std::string part;
  double seconds;
};

template <typename Sizes>
void MeasureAll(armnn::IRuntime& runtime, const Sizes& sizes, const Filter& filter) {
  for (const auto& size : sizes) {
    if (std::string(size.name).find(filter.part) == std::string::npos) continue;
    std::printf("%s\t%.2f\n", size.name, Measure(runtime, size, filter.seconds));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s BACKENDS_DIRECTORY SECONDS_FOR_EACH NAME_CONTAINS\n", argv[0]);
    return 64;
  }
  armnn::IRuntime::CreationOptions options;
  options.m_DynamicBackendsPath = argv[1];
  const armnn::IRuntimePtr runtime = armnn::IRuntime::Create(options);
  const Filter filter = {argv[3], std::atof(argv[2])};
  MeasureAll(*runtime, bench::kConvolutionSizes, filter);
  MeasureAll(*runtime, bench::kFullyConnectedSizes, filter);
  MeasureAll(*runtime, bench::kPoolingSizes, filter);
}
