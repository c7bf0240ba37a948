#include "layout/layout.hpp"

#include <stdexcept>

namespace backplane {
namespace cpuacc {

namespace {

/// Whether both describe the same places: the stride of an axis of one element says nothing.
bool LiesPlain(const dnnl::memory::desc& desc, const dnnl::memory::desc& plain) {
  if (desc == plain) return true;
  const dnnl_blocking_desc_t& found = desc.data.format_desc.blocking;
  if (desc.data.format_kind != dnnl_blocked || found.inner_nblks != 0 ||
      desc.data.extra.flags != dnnl_memory_extra_flag_none) {
    return false;
  }
  const dnnl_blocking_desc_t& wanted = plain.data.format_desc.blocking;
  for (int axis = 0; axis < plain.data.ndims; ++axis) {
    if (plain.data.dims[axis] > 1 && found.strides[axis] != wanted.strides[axis]) return false;
  }
  return desc.get_size() == plain.get_size();
}

}  // namespace

Layout::Layout(const dnnl::memory::desc& desc, const TensorInfo& info) {
  if (LiesPlain(desc, DescribePlain(info))) return;
  blocked_ = std::make_shared<const dnnl::memory::desc>(desc);
}

std::uint64_t Layout::GetSizeBytes(const TensorInfo& info) const {
  return IsPlain() ? info.GetSizeBytes() : blocked_->get_size();
}

bool HasDnnlType(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kInt8 || type == DataType::kUInt8 ||
         type == DataType::kInt32;
}

dnnl::memory::data_type ToDnnlType(DataType type) {
  switch (type) {
    case DataType::kFloat32:
      return dnnl::memory::data_type::f32;
    case DataType::kInt8:
      return dnnl::memory::data_type::s8;
    case DataType::kUInt8:
      return dnnl::memory::data_type::u8;
    case DataType::kInt32:
      return dnnl::memory::data_type::s32;
    default:
      throw std::invalid_argument(std::string("oneDNN has no data type for ") +
                                  GetDataTypeName(type));
  }
}

dnnl::memory::dims ToDims(const TensorShape& shape) {
  if (shape.rank == 0) return {1};
  return dnnl::memory::dims(shape.dims, shape.dims + shape.rank);
}

dnnl::memory::desc DescribePlain(const dnnl::memory::dims& dims, DataType type) {
  dnnl::memory::dims strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= dims[axis];
  }
  return dnnl::memory::desc(dims, ToDnnlType(type), strides);
}

dnnl::memory::desc DescribePlain(const TensorInfo& info) {
  return DescribePlain(ToDims(info.shape), info.data_type);
}

dnnl::memory::desc Describe(const TensorInfo& info, const Layout& layout) {
  return layout.IsPlain() ? DescribePlain(info) : layout.GetBlocked();
}

dnnl::memory::desc DescribeAny(const dnnl::memory::dims& dims, DataType type) {
  return dnnl::memory::desc(dims, ToDnnlType(type), dnnl::memory::format_tag::any);
}

dnnl::memory::desc DescribeAny(const TensorInfo& info) {
  return DescribeAny(ToDims(info.shape), info.data_type);
}

}  // namespace cpuacc
}  // namespace backplane
