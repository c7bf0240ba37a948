#include "moves/reorder.hpp"

#include "library/engine.hpp"
#include "making/primitive.hpp"

namespace backplane {
namespace cpuacc {

std::unique_ptr<const Kernel> MakeReorder(const TensorInfo& info, const Layout& from,
                                          const Layout& to) {
  const dnnl::memory::desc source = Describe(info, from);
  const dnnl::memory::desc target = Describe(info, to);
  const dnnl::reorder::primitive_desc desc(GetEngine(), source, GetEngine(), target,
                                           MakeAttributes());
  return MakePrimitiveKernel(dnnl::reorder(desc),
                             {FromInput(DNNL_ARG_FROM, source, 0), FromOutput(DNNL_ARG_TO, target)},
                             desc.scratchpad_desc());
}

}  // namespace cpuacc
}  // namespace backplane
