#pragma once

/// Networks of float32 tensors, run on numbers that are always the same.

#include <backplane/runtime/i_runtime.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace backplane::test {

/// The elements of each output.
using Outputs = std::vector<std::vector<float>>;

/// Runs a loaded network. Different turns have different inputs.
inline Outputs RunNetwork(IRuntime& runtime, NetworkId id, const IOptimizedNetwork& network,
                          std::uint32_t turn = 0) {
  Outputs values;
  Outputs results;
  InputTensors inputs;
  OutputTensors outputs;
  for (const NetworkBinding& input : network.GetInputs()) {
    auto& data = values.emplace_back(static_cast<std::size_t>(input.info.shape.GetNumElements()));
    for (std::size_t i = 0; i < data.size(); ++i) {
      data[i] = static_cast<float>((i * 7 + input.id * 3 + turn * 5) % 11) / 5.0F - 1.0F;
    }
    inputs.push_back({input.id, {input.info, data.data()}});
  }
  for (const NetworkBinding& output : network.GetOutputs()) {
    auto& data =
        results.emplace_back(static_cast<std::size_t>(output.info.shape.GetNumElements()), -77.0F);
    outputs.push_back({output.id, data.data(), data.size() * sizeof(float)});
  }
  std::optional<Diagnostic> failure;
  EXPECT_EQ(runtime.EnqueueWorkload(id, inputs, outputs, &failure), Status::kSuccess)
      << (failure ? ToText(*failure) : "");
  return results;
}

/// Loads a network, runs it once and unloads it.
inline Outputs Compute(IRuntime& runtime, const std::shared_ptr<const IOptimizedNetwork>& network) {
  const NetworkId id = runtime.LoadNetwork(network);
  Outputs outputs = RunNetwork(runtime, id, *network);
  runtime.UnloadNetwork(id);
  return outputs;
}

}  // namespace backplane::test
