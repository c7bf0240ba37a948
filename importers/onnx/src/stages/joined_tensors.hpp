#pragma once

#include <backplane/runtime/network_source.hpp>

#include <cstdint>
#include <vector>

namespace backplane::onnx {

TensorShape WithoutAxis(const TensorShape& shape, std::uint32_t axis);
/// With a new axis of extent 1.
TensorShape WithAxis(const TensorShape& shape, std::uint32_t axis);

/// Whether tensors are alike but for the extent of an axis.
bool CanBeJoined(const TensorInfo& a, const TensorInfo& b, std::uint32_t axis);

/// Tensors one behind the other along an axis.
StageValue JoinTensors(const std::vector<StageValue>& tensors, std::uint32_t axis,
                       IStageRunner& runner);

/// So many indices of an axis.
StageValue TakePart(const StageValue& tensor, std::uint32_t axis, std::int64_t begin,
                    std::int64_t count, IStageRunner& runner);

}  // namespace backplane::onnx
