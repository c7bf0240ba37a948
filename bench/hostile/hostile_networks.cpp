#include "hostile_networks.hpp"

#include <algorithm>

namespace hostile {
namespace {

using namespace backplane;
using NetworkPointer = std::unique_ptr<INetwork>;

TensorInfo Float(const TensorShape& shape) {
  return {shape, DataType::kFloat32};
}

OutputSlot AddRelu(INetwork& network, OutputSlot input, const std::string& name = "") {
  return {AddLayer<LayerType::kActivation>(network, ActivationDescriptor(), {input}, name), 0};
}

OutputSlot AddSum(INetwork& network, OutputSlot a, OutputSlot b) {
  return {
      AddLayer<LayerType::kElementwiseBinary>(network, ElementwiseBinaryDescriptor(), {a, b}, ""),
      0};
}

OutputSlot AddReshape(INetwork& network, OutputSlot input) {
  ReshapeDescriptor descriptor;
  descriptor.rank = 1;
  descriptor.dims[0] = 4;
  return {AddLayer<LayerType::kReshape>(network, descriptor, {input}, ""), 0};
}

OutputSlot AddConcat(INetwork& network, const std::vector<OutputSlot>& inputs) {
  return {AddLayer<LayerType::kConcat>(network, ConcatDescriptor(), inputs, ""), 0};
}

LayerId AddSplit(INetwork& network, OutputSlot input, const std::vector<std::int64_t>& extents) {
  SplitDescriptor descriptor;
  descriptor.num_parts = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), descriptor.extents);
  return AddLayer<LayerType::kSplit>(network, descriptor, {input}, "");
}

/// A network with one input of four elements.
struct Begun {
  NetworkPointer network = INetwork::Create("hostile");
  OutputSlot x = network->AddInputLayer(Float({4}), "x");
  std::uint32_t num_outputs = 0;

  void AddOutput(OutputSlot tensor) {
    network->AddOutputLayer(tensor, "y" + std::to_string(num_outputs++));
  }
  NetworkPointer End(OutputSlot last) {
    AddOutput(last);
    return std::move(network);
  }
};

NetworkPointer MakeReshapeChain(std::uint32_t layers) {
  Begun begun;
  OutputSlot last = AddRelu(*begun.network, begun.x);
  for (std::uint32_t i = 0; i < layers; ++i) last = AddReshape(*begun.network, last);
  return begun.End(last);
}

NetworkPointer MakeReshapesOfOne(std::uint32_t layers) {
  Begun begun;
  const OutputSlot first = AddRelu(*begun.network, begun.x);
  OutputSlot last = first;
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    last = AddSum(*begun.network, last, AddReshape(*begun.network, first));
  }
  return begun.End(last);
}

// A chain of Reshapes, each of which is added to the sum, too.
OutputSlot AddReadReshapes(INetwork& network, OutputSlot view, OutputSlot sum,
                           std::uint32_t layers) {
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    view = AddReshape(network, view);
    sum = AddSum(network, sum, view);
  }
  return sum;
}

NetworkPointer MakeReadReshapeChain(std::uint32_t layers) {
  Begun begun;
  const OutputSlot relu = AddRelu(*begun.network, begun.x);
  return begun.End(AddReadReshapes(*begun.network, relu, relu, layers));
}

NetworkPointer MakeReshapeChainOfConstant(std::uint32_t layers) {
  Begun begun;
  const std::vector<float> data(4);
  const OutputSlot constant =
      begun.network->AddConstantLayer(Float({4}), CopyConstantData(data.data(), 16), "c");
  return begun.End(AddReadReshapes(*begun.network, constant, begun.x, layers));
}

NetworkPointer MakeReaders(std::uint32_t layers) {
  Begun begun;
  std::vector<OutputSlot> all;
  for (std::uint32_t i = 0; i < layers; ++i) all.push_back(AddRelu(*begun.network, begun.x));
  return begun.End(AddConcat(*begun.network, all));
}

NetworkPointer MakeReaderOfFirst(std::uint32_t layers) {
  Begun begun;
  const OutputSlot first = AddRelu(*begun.network, begun.x);
  OutputSlot last = first;
  for (std::uint32_t i = 0; i < layers; ++i) last = AddSum(*begun.network, last, first);
  return begun.End(last);
}

NetworkPointer MakeInPlaceChain(std::uint32_t layers) {
  Begun begun;
  OutputSlot last = begun.x;
  for (std::uint32_t i = 0; i < layers; ++i) last = AddRelu(*begun.network, last);
  return begun.End(last);
}

NetworkPointer MakeInputs(std::uint32_t layers) {
  Begun begun;
  OutputSlot last = begun.x;
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    last = AddSum(*begun.network, last,
                  begun.network->AddInputLayer(Float({4}), "x" + std::to_string(i)));
  }
  return begun.End(last);
}

NetworkPointer MakeOutputs(std::uint32_t layers) {
  Begun begun;
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    begun.AddOutput(AddRelu(*begun.network, begun.x));
  }
  return std::move(begun.network);
}

NetworkPointer MakeOutputsOfOne(std::uint32_t layers) {
  Begun begun;
  const OutputSlot first = AddRelu(*begun.network, begun.x);
  for (std::uint32_t i = 0; i < layers; ++i) begun.AddOutput(first);
  return std::move(begun.network);
}

NetworkPointer MakeOutputViews(std::uint32_t layers) {
  Begun begun;
  OutputSlot view = AddRelu(*begun.network, begun.x);
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    view = AddReshape(*begun.network, view);
    begun.AddOutput(view);
  }
  return std::move(begun.network);
}

NetworkPointer MakeSplitsOfOne(std::uint32_t layers) {
  Begun begun;
  const OutputSlot first = AddRelu(*begun.network, begun.x);
  OutputSlot last = begun.x;
  for (std::uint32_t i = 0; i < layers / 3; ++i) {
    const LayerId split = AddSplit(*begun.network, first, {2, 2});
    last = AddConcat(*begun.network, {{split, 1}, {split, 0}});
  }
  return begun.End(last);
}

NetworkPointer MakeSplitChain(std::uint32_t layers) {
  Begun begun;
  const std::int64_t extent = layers / 2 + 2;
  OutputSlot rest = AddRelu(*begun.network, begun.network->AddInputLayer(Float({extent}), "long"));
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    const LayerId split = AddSplit(*begun.network, rest, {1, extent - i - 1});
    AddRelu(*begun.network, {split, 0});
    rest = {split, 1};
  }
  return begun.End(AddRelu(*begun.network, rest));
}

NetworkPointer MakeConcatChain(std::uint32_t layers) {
  Begun begun;
  OutputSlot whole = AddRelu(*begun.network, begun.x);
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    whole = AddConcat(*begun.network, {whole, AddRelu(*begun.network, begun.x)});
  }
  return begun.End(AddRelu(*begun.network, whole));
}

NetworkPointer MakeConcatsOfOne(std::uint32_t layers) {
  Begun begun;
  const OutputSlot first = AddRelu(*begun.network, begun.x);
  OutputSlot last;
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    last = AddConcat(*begun.network, {first, AddRelu(*begun.network, begun.x)});
  }
  return begun.End(last);
}

NetworkPointer MakeConstants(std::uint32_t layers) {
  Begun begun;
  const std::vector<float> data(4);
  OutputSlot last = begun.x;
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    const auto content = CopyConstantData(data.data(), 16);
    last = AddSum(*begun.network, last, begun.network->AddConstantLayer(Float({4}), content, ""));
  }
  return begun.End(last);
}

NetworkPointer MakeTwoBackends(std::uint32_t layers) {
  Begun begun;
  OutputSlot last = begun.x;
  for (std::uint32_t i = 0; i < layers; ++i) {
    last = AddRelu(*begun.network, last);
    if (i % 2 != 0) begun.network->SetBackendHint(last.layer, "CpuAcc");
  }
  return begun.End(last);
}

NetworkPointer MakeTwoBackendsBranching(std::uint32_t layers) {
  Begun begun;
  std::vector<OutputSlot> all;
  for (std::uint32_t i = 0; i < layers / 2; ++i) {
    all.push_back(AddRelu(*begun.network, AddRelu(*begun.network, begun.x)));
    begun.network->SetBackendHint(all.back().layer, "CpuAcc");
  }
  return begun.End(AddConcat(*begun.network, all));
}

NetworkPointer MakeLongNames(std::uint32_t layers) {
  Begun begun;
  const std::string name(1000, 'n');
  OutputSlot last = begun.x;
  for (std::uint32_t i = 0; i < layers; ++i) last = AddRelu(*begun.network, last, name);
  return begun.End(last);
}

}  // namespace

std::vector<Attack> GetAttacks() {
  constexpr std::uint32_t kMany = 50'000;
  return {
      {"chain of Reshapes", kMany, MakeReshapeChain},
      {"Reshapes of one tensor, all read", kMany, MakeReshapesOfOne},
      {"chain of Reshapes, all read", kMany, MakeReadReshapeChain},
      {"chain of Reshapes of a constant", kMany, MakeReshapeChainOfConstant},
      {"readers of one tensor, one wide Concat", kMany, MakeReaders},
      {"first tensor read by all layers", kMany, MakeReaderOfFirst},
      {"chain of layers in place", kMany, MakeInPlaceChain},
      {"inputs", kMany, MakeInputs},
      {"outputs", kMany, MakeOutputs},
      {"outputs of one tensor", kMany, MakeOutputsOfOne},
      {"outputs that are views of one tensor", kMany, MakeOutputViews},
      {"Splits of one tensor", kMany, MakeSplitsOfOne},
      {"Split of Split of Split", kMany, MakeSplitChain},
      {"Concat of Concat of Concat", kMany, MakeConcatChain},
      {"Concats of one tensor", kMany, MakeConcatsOfOne},
      {"constants", kMany, MakeConstants},
      {"two backends in turn", kMany, MakeTwoBackends},
      {"branches of two backends", kMany, MakeTwoBackendsBranching},
      {"names of 1,000 characters, all equal", kMany / 2, MakeLongNames},
  };
}

}  // namespace hostile
