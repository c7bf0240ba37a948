#pragma once

/// A layer to ask about, and what makes it one that CpuRef cannot run.

#include "cpu_layers/layer.hpp"
#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpuref {

using namespace cpu_layers;

}  // namespace cpuref
}  // namespace backplane
