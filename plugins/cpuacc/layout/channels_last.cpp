#include "layout/channels_last.hpp"

namespace backplane {
namespace cpuacc {

Layout MakeChannelsLast(const TensorInfo& info) {
  using Tag = dnnl::memory::format_tag;
  constexpr Tag kTags[] = {Tag::nwc, Tag::nhwc, Tag::ndhwc};
  return Layout(dnnl::memory::desc(ToDims(info.shape), ToDnnlType(info.data_type),
                                   kTags[info.shape.rank - 3]),
                info);
}

}  // namespace cpuacc
}  // namespace backplane
