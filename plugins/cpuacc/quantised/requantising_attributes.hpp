#pragma once

#include "cpu_layers/requantisation.hpp"

#include <dnnl.hpp>

namespace backplane {
namespace cpuacc {

/// Whether all are equal; oneDNN knows one zero point for all weights.
bool HaveOneZeroPoint(const cpu_layers::Requantisation& requantisation);

/// What oneDNN does to sums of products: they are rounded before the zero point is added, as the
/// definition does it. Where the output is float32, they are only scaled; without multipliers,
/// not even that.
dnnl::primitive_attr MakeRequantisingAttributes(const cpu_layers::Requantisation& requantisation);

}  // namespace cpuacc
}  // namespace backplane
