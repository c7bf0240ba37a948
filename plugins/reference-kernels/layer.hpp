#pragma once

/// A layer to ask about, and what makes it one that no kernel can run.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace reference {

using namespace cpu_layers;

}  // namespace reference
}  // namespace backplane
