#include "moves/reorder.hpp"

#include "kernel_builders/primitive_parts.hpp"
#include "library/engine.hpp"

#include <vector>

namespace backplane {
namespace cpuacc {

std::unique_ptr<const Kernel> MakeReorder(const TensorInfo& info, const Layout& from,
                                          const Layout& to, int num_threads) {
  const dnnl::memory::desc source = Describe(info, from);
  const dnnl::memory::desc target = Describe(info, to);
  const auto make = [](const std::vector<PrimitiveArgument>& of_part) {
    const dnnl::reorder::primitive_desc desc(GetEngine(), of_part[0].desc, GetEngine(),
                                             of_part[1].desc, MakeAttributes());
    return PrimitivePart{dnnl::reorder(desc), of_part, desc.scratchpad_desc()};
  };
  return MakeKernelInParts({FromInput(DNNL_ARG_FROM, source, 0), FromOutput(DNNL_ARG_TO, target)},
                           num_threads, make);
}

}  // namespace cpuacc
}  // namespace backplane
