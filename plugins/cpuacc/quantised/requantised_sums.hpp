#pragma once

#include "cpu_layers/requantisation.hpp"
#include "making/kernel_maker.hpp"

#include <memory>

namespace backplane {
namespace cpuacc {

/// Makes bytes of the sums of products that `kernel` makes, [rows, channels], in int32: a constant
/// bias, input 2 of the node where it has one, is added to them before they are rounded in any way.
std::unique_ptr<const Kernel> MakeRequantisedSums(KernelMaker& maker,
                                                  const cpu_layers::Requantisation& requantisation,
                                                  std::unique_ptr<const Kernel> kernel);

}  // namespace cpuacc
}  // namespace backplane
