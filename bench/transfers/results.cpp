#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>

namespace bench {

using namespace backplane;

namespace {

std::vector<float> MakeNumbers(std::int64_t count) {
  std::mt19937 random(1);
  std::vector<float> numbers(static_cast<std::size_t>(count));
  for (float& number : numbers) number = static_cast<float>(random() % 2001) / 1000.0F - 1.0F;
  return numbers;
}

}  // namespace

Results RunOnce(IRuntime& runtime, std::shared_ptr<const IOptimizedNetwork> network) {
  std::vector<std::vector<float>> numbers;
  InputTensors inputs;
  for (const NetworkBinding& input : network->GetInputs()) {
    numbers.push_back(MakeNumbers(input.info.shape.GetNumElements()));
    inputs.push_back({input.id, {input.info, numbers.back().data()}});
  }
  Results results(network->GetOutputs().size());
  OutputTensors outputs;
  for (const NetworkBinding& output : network->GetOutputs()) {
    auto& bytes = results[output.id];
    bytes.assign(output.info.GetSizeBytes(), 0xAA);
    outputs.push_back({output.id, bytes.data(), bytes.size()});
  }
  const NetworkId id = runtime.LoadNetwork(std::move(network));
  std::optional<Diagnostic> failure;
  const Status status = runtime.EnqueueWorkload(id, inputs, outputs, &failure);
  runtime.UnloadNetwork(id);
  if (failure) throw DiagnosticException(*failure);
  if (status != Status::kSuccess) throw std::runtime_error(GetStatusText(status));
  return results;
}

bool AreClose(const Results& results, const Results& expected) {
  constexpr float kTolerance = 1e-3F;
  for (std::size_t output = 0; output < expected.size(); ++output) {
    if (results[output].size() != expected[output].size()) return false;
    for (std::size_t at = 0; at < expected[output].size(); at += sizeof(float)) {
      float found = 0;
      float wanted = 0;
      std::memcpy(&found, &results[output][at], sizeof(float));
      std::memcpy(&wanted, &expected[output][at], sizeof(float));
      if (!(std::abs(found - wanted) <= kTolerance * std::max(1.0F, std::abs(wanted)))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace bench
