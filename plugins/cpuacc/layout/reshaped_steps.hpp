#pragma once

#include <backplane/api/tensor_info.hpp>

#include <dnnl.hpp>

#include <cstdint>
#include <optional>

namespace backplane {
namespace cpuacc {

/// The steps of a tensor with another shape and the same elements in the same order, when steps can
/// say it: an axis is taken apart, or axes that lie next to each other are made one. `from` has
/// those of `input`.
std::optional<dnnl::memory::dims> FindReshapedSteps(const TensorShape& input,
                                                    const std::int64_t* from,
                                                    const TensorShape& output);

}  // namespace cpuacc
}  // namespace backplane
