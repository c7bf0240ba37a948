#pragma once

#include <backplane/runtime/i_network.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace bench {

/// Reads model.onnx from a folder.
/// Null: there is none, it has operators that the importer does not know, or the importer was not
/// built.
std::unique_ptr<backplane::INetwork> ImportModel(const std::string& folder);

/// Blocks one behind the other, each of six layers: three branches from one tensor, of which the
/// second has two layers, joined along the channels, and a convolution that makes as many channels
/// as there were.
std::unique_ptr<backplane::INetwork> MakeInception(std::uint32_t num_blocks);

/// Layers that read one another at random.
std::unique_ptr<backplane::INetwork> MakeRandom(std::uint32_t num_layers);

}  // namespace bench
