#pragma once

#include <backplane/runtime/i_network.hpp>

#include <string>
#include <vector>

namespace bench {

/// Which layer of a network runs on which of some backends.
enum class Cut {
  kInTurn,       // one layer after the other, round the backends
  kInParts,      // the first layers on the first backend, the last ones on the last
  kActivations,  // activations on the second backend, all else on the first
  kBranches,     // where a tensor has several readers, each begins a branch, round the backends;
                 // what has several inputs is on the first
};

/// For people.
const char* GetText(Cut cut);

/// Writes the hints of all layers.
void CutNetwork(backplane::INetwork& network, Cut cut, const std::vector<std::string>& backends);

}  // namespace bench
