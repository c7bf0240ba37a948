#include "kernels/kept_layout.hpp"

#include <algorithm>

namespace backplane {
namespace cpuacc {
namespace {

/// Blocks that are full, and no gaps.
bool HasElementsOnly(const dnnl::memory::desc& desc, const TensorInfo& info) {
  const dnnl_memory_desc_t& data = desc.data;
  return std::equal(data.dims, data.dims + data.ndims, data.padded_dims) && data.offset0 == 0 &&
         data.extra.flags == 0 && desc.get_size() == info.GetSizeBytes();
}

}  // namespace

void KeepLayout(KernelMaker& maker) {
  const TensorInfo& output = maker.GetOutput().info;
  const Layout& layout = maker.GetLayout(0);
  if (layout.IsPlain() || !HasDnnlType(output.data_type) ||
      !HasElementsOnly(layout.GetBlocked(), maker.GetInput(0).info)) {
    maker.WantPlain(0);
    return;
  }
  dnnl::memory::desc desc = layout.GetBlocked();
  desc.data.data_type = dnnl::memory::convert_to_c(ToDnnlType(output.data_type));
  maker.SetOutput(0, Layout(desc, output));
}

}  // namespace cpuacc
}  // namespace backplane
