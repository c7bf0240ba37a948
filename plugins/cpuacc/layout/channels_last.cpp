#include "layout/channels_last.hpp"

namespace backplane {
namespace cpuacc {

dnnl::memory::desc DescribeChannelsLast(const dnnl::memory::dims& dims, DataType type) {
  using Tag = dnnl::memory::format_tag;
  constexpr Tag kTags[] = {Tag::nwc, Tag::nhwc, Tag::ndhwc};
  return dnnl::memory::desc(dims, ToDnnlType(type), kTags[dims.size() - 3]);
}

Layout MakeChannelsLast(const TensorInfo& info) {
  return Layout(DescribeChannelsLast(ToDims(info.shape), info.data_type), info);
}

}  // namespace cpuacc
}  // namespace backplane
