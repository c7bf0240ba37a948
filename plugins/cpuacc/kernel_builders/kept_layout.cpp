#include "kernel_builders/kept_layout.hpp"

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

Layout MakeSameLayout(const TensorInfo& from, const Layout& layout, const TensorInfo& info) {
  if (layout.IsPlain() || !HasDnnlType(info.data_type) ||
      !HasElementsOnly(layout.GetBlocked(), from)) {
    return Layout();
  }
  dnnl::memory::desc desc = layout.GetBlocked();
  desc.data.data_type = dnnl::memory::convert_to_c(ToDnnlType(info.data_type));
  return Layout(desc, info);
}

void KeepLayout(KernelMaker& maker) {
  const Layout layout =
      MakeSameLayout(maker.GetInput(0).info, maker.GetLayout(0), maker.GetOutput().info);
  if (layout.IsPlain()) maker.WantPlain(0);
  maker.SetOutput(0, layout);
}

}  // namespace cpuacc
}  // namespace backplane
