#include "kernels/elements.hpp"

#include <stdexcept>

namespace backplane {
namespace cpuacc {

std::unique_ptr<const Kernel> MakeElements(KernelMaker&) {
  throw std::logic_error("no chains yet");
}

std::unique_ptr<const Kernel> MakeChainInPlace(KernelMaker&) {
  throw std::logic_error("no chains yet");
}

}  // namespace cpuacc
}  // namespace backplane
