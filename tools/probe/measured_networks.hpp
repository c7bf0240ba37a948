#pragma once

#include <backplane/runtime/i_network.hpp>

#include <memory>
#include <string>
#include <vector>

namespace backplane::measuring {

struct MeasuredNetwork {
  std::string name;
  std::unique_ptr<INetwork> network;  // one input and one output, of float32
};

/// The networks by which backends are compared: small, and of the layers that most networks spend
/// their time in. Whoever changes one changes what kept times mean.
std::vector<MeasuredNetwork> MakeMeasuredNetworks();

}  // namespace backplane::measuring
