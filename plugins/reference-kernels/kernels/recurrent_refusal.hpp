#pragma once

#include "cpu_layers/recurrent_layer.hpp"
#include "layer.hpp"

namespace backplane {
namespace reference {

/// Refuses all that is wrong with a recurrent layer, but for its gates.
void CheckRecurrent(const Layer& layer, const RecurrentOptions& options, Refusal& refusal);

}  // namespace reference
}  // namespace backplane
