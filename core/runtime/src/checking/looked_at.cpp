#include "checking/looked_at.hpp"

namespace backplane::checking {

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
    fault_ = std::string("cannot be mapped (Map answered \"") + GetStatusText(map_answer) + "\")";
  }
}

}  // namespace backplane::checking
