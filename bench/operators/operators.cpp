// Runs one layer of each kind and size on a backend, again and again. Prints a line for each:
// name, microseconds, GFLOP/s or GB/s of what goes in and comes out, divided by tabs.

#include "adaptive_timing.hpp"
#include "operator_case.hpp"

#include <backplane/runtime/i_runtime.hpp>
#include <backplane/runtime/optimize.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace {

using namespace backplane;

/// Random elements: floats between -1 and 1.
std::vector<unsigned char> MakeData(const bench::CaseInput& input, std::mt19937& random) {
  std::vector<unsigned char> data(static_cast<std::size_t>(input.info.GetSizeBytes()));
  const std::size_t size = GetDataTypeSizeBytes(input.info.data_type);
  std::uniform_real_distribution<float> floats(-1.0F, 1.0F);
  std::uniform_int_distribution<std::int64_t> integers(0, input.greatest);
  for (std::size_t at = 0; at < data.size(); at += size) {
    const float real = floats(random);
    const std::int64_t integer = integers(random);
    const bool is_float = input.info.data_type == DataType::kFloat32;
    std::memcpy(&data[at], is_float ? static_cast<const void*>(&real) : &integer, size);
  }
  return data;
}

/// A network of one layer, with its data.
class OneLayer {
 public:
  explicit OneLayer(const bench::OperatorCase& layer) : network_(INetwork::Create(layer.name)) {
    std::vector<OutputSlot> slots;
    for (const bench::CaseInput& input : layer.inputs) slots.push_back(AddInput(input));
    const LayerId id =
        network_->AddOperatorLayer(layer.type, *layer.descriptor, slots, layer.name, layer.stated);
    const std::uint32_t num_outputs = FindLayerTypeInfo(layer.type)->min_outputs;
    for (std::uint32_t index = 0; index < num_outputs; ++index) AddOutput({id, index});
  }

  double MeasureMicroseconds(IRuntime& runtime, const std::string& backend, double seconds) {
    const NetworkId id =
        runtime.LoadNetwork(Optimize(*network_, {backend}, runtime.GetDeviceSpec()));
    const double took = bench::MeasureMedianMicroseconds(
        [&] {
          if (runtime.EnqueueWorkload(id, inputs_, outputs_) != Status::kSuccess) std::abort();
        },
        seconds);
    runtime.UnloadNetwork(id);
    return took;
  }

  /// Of all that goes in and comes out at each run, without constants.
  double GetSizeBytes() const { return size_bytes_; }

 private:
  OutputSlot AddInput(const bench::CaseInput& input) {
    auto data = std::make_shared<std::vector<unsigned char>>(MakeData(input, random_));
    data_.push_back(data);
    const std::string name = "input " + std::to_string(data_.size());
    if (input.given == bench::Given::kConstant) {
      return network_->AddConstantLayer(input.info, {data, data->data()}, name);
    }
    size_bytes_ += static_cast<double>(data->size());
    const OutputSlot slot = network_->AddInputLayer(input.info, name);
    inputs_.push_back({static_cast<LayerBindingId>(inputs_.size()), {input.info, data->data()}});
    return slot;
  }

  void AddOutput(OutputSlot slot) {
    const TensorInfo& info = network_->GetTensorInfo(slot);
    const auto size = static_cast<std::size_t>(info.GetSizeBytes());
    data_.push_back(std::make_shared<std::vector<unsigned char>>(size));
    size_bytes_ += static_cast<double>(size);
    const LayerBindingId id =
        network_->AddOutputLayer(slot, "output " + std::to_string(slot.index));
    outputs_.push_back({id, data_.back()->data(), size});
  }

  std::unique_ptr<INetwork> network_;
  std::mt19937 random_{1};
  std::vector<std::shared_ptr<std::vector<unsigned char>>> data_;
  InputTensors inputs_;
  OutputTensors outputs_;
  double size_bytes_ = 0;
};

std::vector<bench::OperatorCase> MakeCases() {
  std::vector<bench::OperatorCase> cases;
  for (const auto& make :
       {bench::MakeWindowCases, bench::MakeProductCases, bench::MakeElementCases,
        bench::MakeAxisCases, bench::MakeMovementCases, bench::MakeSequenceCases}) {
    for (bench::OperatorCase& layer : make()) cases.push_back(std::move(layer));
  }
  return cases;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr,
                 "usage: %s BACKEND SECONDS_FOR_EACH NAME_CONTAINS\n"
                 "  an empty NAME_CONTAINS runs all\n",
                 argv[0]);
    return 64;
  }
  CreationOptions options;
  options.dynamic_backends_path = BACKPLANE_BACKENDS_FOLDER;
  const auto runtime = IRuntime::Create(options);
  for (const bench::OperatorCase& layer : MakeCases()) {
    if (layer.name.find(argv[3]) == std::string::npos) continue;
    OneLayer network(layer);
    const double took = network.MeasureMicroseconds(*runtime, argv[1], std::atof(argv[2]));
    const bool has_operations = layer.operations > 0;
    const double work = has_operations ? layer.operations : network.GetSizeBytes();
    std::printf("%s\t%.2f\t%.2f\t%s\n", layer.name.c_str(), took, work / took / 1000.0,
                has_operations ? "GFLOP/s" : "GB/s");
    std::fflush(stdout);
  }
}
