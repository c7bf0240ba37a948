#pragma once

/// The layouts [N, spatial..., C].

#include "layout/layout.hpp"

namespace backplane {
namespace cpuacc {

/// Of a tensor of rank 3 to 5 and a type that oneDNN has. Plain when that is the same.
Layout MakeChannelsLast(const TensorInfo& info);

}  // namespace cpuacc
}  // namespace backplane
