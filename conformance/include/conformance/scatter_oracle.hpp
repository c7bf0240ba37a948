#pragma once

/// What the oracles of ScatterElements and ScatterNd have in common.

#include "conformance/moved_case.hpp"

#include <backplane/api/descriptors/scatter_elements.hpp>

namespace backplane {
namespace conformance {

constexpr ScatterReduction kReductions[] = {ScatterReduction::kNone, ScatterReduction::kAdd,
                                            ScatterReduction::kMul, ScatterReduction::kMax,
                                            ScatterReduction::kMin};

inline LayerTraits GetScatterTraits(ScatterReduction reduction, bool keeps_axes) {
  LayerTraits traits = MoveEverything(keeps_axes);
  if (reduction == ScatterReduction::kNone) return traits;
  traits.plain = PlainTypes::kNumbers;
  traits.quantised = QuantisedTypes::kCalculated;
  traits.keeps_axes = true;
  if (reduction == ScatterReduction::kAdd || reduction == ScatterReduction::kMul) {
    traits.integers = IntegerResults::kWrap;
  }
  return traits;
}

template <typename Number>
void Combine(ScatterReduction reduction, Number& element, Number update) {
  switch (reduction) {
    case ScatterReduction::kNone:
      element = update;
      break;
    case ScatterReduction::kAdd:
      element += update;
      break;
    case ScatterReduction::kMul:
      element *= update;
      break;
    case ScatterReduction::kMax:
      element = update > element ? update : element;
      break;
    case ScatterReduction::kMin:
      element = update < element ? update : element;
      break;
  }
}

}  // namespace conformance
}  // namespace backplane
