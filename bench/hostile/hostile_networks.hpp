#pragma once

#include <backplane/runtime/i_network.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hostile {

/// A network of a shape that algorithms over graphs find hard, and how large it can be made.
struct Attack {
  const char* name;
  std::uint32_t layers;  // at 1x
  std::unique_ptr<backplane::INetwork> (*make)(std::uint32_t layers);
};

/// All of them.
std::vector<Attack> GetAttacks();

}  // namespace hostile
