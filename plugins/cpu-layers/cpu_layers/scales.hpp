#pragma once

#include "cpu_layers/refusal.hpp"

#include <backplane/api/tensor_info.hpp>

#include <string>

namespace backplane {
namespace cpu_layers {

/// Refuses a quantised tensor with another number of zero points than of scales, or with another
/// number of scales than of elements along their axis.
void RequireScalesThatFit(const TensorInfo& info, const std::string& tensor, Refusal& refusal);

}  // namespace cpu_layers
}  // namespace backplane
