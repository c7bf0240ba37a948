#pragma once

#include "operators/operator_types.hpp"

#include <backplane/api/descriptors.hpp>

namespace backplane {

/// What ScatterElements and ScatterNd take: everything where they replace elements, numbers where
/// they calculate with them.
OperatorTypes GetTypesOfScatter(ScatterReduction reduction);

/// kInvalidDescriptor for a reduction that is not known.
void CheckReduction(const OperatorInputs& inputs, ScatterReduction reduction);

/// kWrongRank and kWrongShape unless input 2 has this shape.
void RequireUpdates(const OperatorInputs& inputs, const TensorShape& shape);

}  // namespace backplane
