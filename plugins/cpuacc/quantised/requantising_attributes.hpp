#pragma once

#include "cpu_layers/requantisation.hpp"

#include "kernel_builders/primitive.hpp"
#include "quantised/zero_point_inputs.hpp"

#include <dnnl.hpp>

#include <vector>

namespace backplane {
namespace cpuacc {

/// Whether all are equal; oneDNN knows one zero point for all weights.
bool HaveOneZeroPoint(const cpu_layers::Requantisation& requantisation);

/// What oneDNN does to sums of products: they are rounded before the zero point is added, as the
/// definition does it. Where the output is float32, they are only scaled; without multipliers,
/// not even that.
dnnl::primitive_attr MakeRequantisingAttributes(const cpu_layers::Requantisation& requantisation);

/// What is known of sums that are not scaled: zero points, 0 in place of unknown ones.
cpu_layers::Requantisation TakeKnownZeroPoints(const ZeroPointInputs& zero_points,
                                               std::int64_t num_channels);

/// Has oneDNN read the zero points that are unknown from arguments, which are added: int32 in the
/// place of inputs 2 and 3 (MakeWithWideZeroPoints).
void SetUnknownZeroPoints(const ZeroPointInputs& zero_points, dnnl::primitive_attr& attributes);
void AddUnknownZeroPoints(const ZeroPointInputs& zero_points,
                          std::vector<PrimitiveArgument>& arguments);

}  // namespace cpuacc
}  // namespace backplane
