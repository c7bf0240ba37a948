#include "execution/looked_at.hpp"

#include "tensors/copy_tensor.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/status_text.hpp"
#include "tensors/view_runs.hpp"

#include <cstring>

namespace backplane::execution {

LookedAt::LookedAt(ITensorHandle& handle) : handle_(handle) {
  const Status status = handle.Map(MemoryAccess::kRead, &view_);
  is_mapped_ = status == Status::kSuccess;
  if (!is_mapped_) UseView(status);
  is_readable_ = view_.data != nullptr && view_.layout == TensorLayout::kKnown;
  if (!is_readable_ && fault_.empty()) fault_ = "has no address";
}

LookedAt::~LookedAt() {
  if (is_mapped_) static_cast<void>(handle_.Unmap());
}

void LookedAt::UseView(Status map_answer) {
  view_ = {};
  const MemoryView* const view = handle_.GetMemoryView();
  const bool is_addressable = view != nullptr && view->data != nullptr &&
                              view->layout == TensorLayout::kKnown &&
                              view->source == MemorySource::kMalloc;
  if (is_addressable) {
    view_ = *view;
  } else if (view != nullptr && view->layout == TensorLayout::kOpaque) {
    fault_ = "has a layout that only its backend knows";
  } else {
    fault_ = std::string("cannot be mapped (Map answered \"") + DescribeStatus(map_answer) + "\")";
  }
}

bool DescribesTensor(const MemoryView& view, const TensorInfo& info) {
  if (view.data_type != info.data_type || view.rank != info.shape.rank) return false;
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    if (view.dims[axis] != info.shape[axis]) return false;
  }
  return true;
}

std::optional<std::vector<unsigned char>> ReadTensor(ITensorHandle& handle, const TensorInfo& info,
                                                     std::string* fault) {
  std::vector<unsigned char> data(info.GetSizeBytes());
  if (data.empty()) return data;
  const LookedAt looked(handle);
  if (looked.GetView() == nullptr) {
    if (fault != nullptr) *fault = looked.GetFault();
    return std::nullopt;
  }
  if (!DescribesTensor(*looked.GetView(), info)) {
    if (fault != nullptr) *fault = "is described as that of another tensor";
    return std::nullopt;
  }
  MemoryView dense = MakeDenseView(info);
  dense.data = data.data();
  CopyTensor(*looked.GetView(), dense);
  return data;
}

bool FillTensor(ITensorHandle& handle, const TensorInfo& info, unsigned char byte) {
  if (info.GetSizeBytes() == 0) return true;
  MemoryView view;
  const bool is_mapped = handle.Map(MemoryAccess::kWrite, &view) == Status::kSuccess;
  if (!is_mapped) return false;
  const bool is_known =
      view.data != nullptr && view.layout == TensorLayout::kKnown && DescribesTensor(view, info);
  if (is_known) {
    const std::size_t element_bytes = GetDataTypeSizeBytes(info.data_type);
    ViewRuns(view).ForEach([&](const unsigned char* data, std::size_t count) {
      std::memset(const_cast<unsigned char*>(data), byte, count * element_bytes);
    });
  }
  static_cast<void>(handle.Unmap());
  return is_known;
}

}  // namespace backplane::execution
