#pragma once

#include <backplane/api/tensor_info.hpp>
#include <backplane/runtime/export.hpp>

#include <memory>
#include <vector>

namespace backplane {

/// What passes from stage to stage of a network, and into and out of it where it takes or gives
/// more than tensors: a tensor, a sequence of such values, or nothing, as an optional without
/// content is.
/// Ownership: shares the data, which nobody changes any more.
struct StageValue {
  enum class Kind { kNone, kTensor, kSequence };

  Kind kind = Kind::kNone;
  TensorInfo info;                   // of a tensor
  std::shared_ptr<const void> data;  // of a tensor: dense; null: not known, or without elements
  std::vector<StageValue> elements;  // of a sequence
};

/// A tensor as such a value.
/// Null: the data are not known, or there are no elements.
/// [any thread] Since: 0.1
BACKPLANE_RUNTIME_API StageValue MakeStageTensor(const TensorInfo& info,
                                                 std::shared_ptr<const void> data);

/// A sequence of values as one. [any thread] Since: 0.1
BACKPLANE_RUNTIME_API StageValue MakeStageSequence(std::vector<StageValue> elements);

}  // namespace backplane
