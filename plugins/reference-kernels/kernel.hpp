#pragma once

/// The kernels, one for each row of kernels.def.

#include "layer.hpp"

#include <backplane/api/layer_type.hpp>
#include <backplane/api/tensor_info.hpp>
#include <backplane/reference/kernel.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace backplane {
namespace reference {

/// FindRefusalOf<name> says why the layer cannot be run, and nothing when it can; Make<name> makes
/// the kernel of a layer that is not refused.
#define REFERENCE_KERNEL(name)                         \
  std::string FindRefusalOf##name(const Layer& layer); \
  std::unique_ptr<Kernel> Make##name(const Layer& layer);
#include "kernels.def"
#undef REFERENCE_KERNEL

}  // namespace reference
}  // namespace backplane
