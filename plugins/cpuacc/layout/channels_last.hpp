#pragma once

/// The layouts [N, spatial..., C].

#include "layout/layout.hpp"

namespace backplane {
namespace cpuacc {

/// Of dims of rank 3 to 5.
dnnl::memory::desc DescribeChannelsLast(const dnnl::memory::dims& dims, DataType type);

/// Of a tensor of rank 3 to 5 and a type that oneDNN has. Plain when that is the same.
Layout MakeChannelsLast(const TensorInfo& info);

}  // namespace cpuacc
}  // namespace backplane
