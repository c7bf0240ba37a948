#include "rules/handle_expectations.hpp"

#include "harness/descriptor_text.hpp"
#include "harness/session.hpp"

#include <cstdio>
#include <stdexcept>
#include <vector>

namespace backplane::check_backend {
namespace {

std::vector<TensorInfo> ListHandledInfos(bool is_quick) {
  std::vector<TensorInfo> infos{{{2, 3}, DataType::kFloat32}};
  if (is_quick) return infos;
  infos.push_back({{}, DataType::kFloat32});
  infos.push_back({{1, 3, 5, 7}, DataType::kInt8});
  infos.push_back({{4, 33}, DataType::kFloat64});
  infos.push_back({{0, 3}, DataType::kFloat32});
  return infos;
}

/// The bytes from the first element to behind the last one.
std::uint64_t GetSpanBytes(const TensorInfo& info, const MemoryView& view) {
  if (info.shape.GetNumElements() == 0) return 0;
  std::int64_t last = 0;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    last += (info.shape[axis] - 1) * view.strides_bytes[axis];
  }
  return static_cast<std::uint64_t>(last) + GetDataTypeSizeBytes(info.data_type);
}

}  // namespace

void ForEachTensor(Session& session, const std::string& done, const std::string& otherwise,
                   const std::function<bool(const Kind&)>& applies,
                   const std::function<void(const Kind&, const TensorInfo&)>& check) {
  WatchFaults(session.GetRecord());
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  if (memory.factories.empty()) return session.Skip(kNoKinds);
  for (const Kind& kind : ListKinds(memory)) {
    if (!applies(kind)) continue;
    for (const TensorInfo& info : ListHandledInfos(session.IsQuick())) {
      if (session.Begin(done + " a tensor of " + kind.GetId() + ", " + DescribeTensor(info))) {
        check(kind, info);
      }
    }
  }
  if (!session.HasCases()) session.Skip(otherwise);
}

BoundHandle::BoundHandle(const Kind& kind, const TensorInfo& info)
    : needed(AskRequirements(kind, info, LayerType::kUndefined)), handle(MakeHandle(kind, info)) {
  if (kind.OwnsMemory()) return;
  block = std::make_unique<KindBlock>(kind, needed, "the block");
  const Status status = handle->Bind(block->Get(), 0);
  if (status != Status::kSuccess) {
    throw std::runtime_error("Bind at offset 0 of a block of the required size returned " +
                             DescribeStatus(status));
  }
}

std::string DescribePlace(const MemoryView* view) {
  if (view == nullptr) return "no view";
  char text[120];
  std::snprintf(text, sizeof(text), "a view of %llu bytes at %p, file descriptor %d, offset %llu",
                static_cast<unsigned long long>(view->size_bytes), view->data,
                view->file_descriptor, static_cast<unsigned long long>(view->offset_bytes));
  return text;
}

bool IsSamePlace(const std::optional<MemoryView>& before, const MemoryView* view) {
  if (!before || view == nullptr) return !before && view == nullptr;
  return before->data == view->data && before->file_descriptor == view->file_descriptor &&
         before->size_bytes == view->size_bytes && before->offset_bytes == view->offset_bytes;
}

std::optional<MemoryView> KeepView(const ITensorHandle& handle) {
  const MemoryView* const view = handle.GetMemoryView();
  return view != nullptr ? std::optional<MemoryView>(*view) : std::nullopt;
}

void ExpectAsBefore(Session& session, const ITensorHandle& handle,
                    const std::optional<MemoryView>& before, const std::string& when) {
  const MemoryView* const view = handle.GetMemoryView();
  session.Expect(IsSamePlace(before, view),
                 when + ", GetMemoryView gave " + DescribePlace(view) + " instead of " +
                     DescribePlace(before ? &*before : nullptr),
                 "that the handle is as before");
}

std::string FindTensorFault(const TensorInfo& info, const MemoryView& view) {
  if (view.data_type != info.data_type) {
    return std::string("a view of the data type ") + GetDataTypeName(view.data_type);
  }
  if (view.rank != info.shape.rank) return "a view of rank " + std::to_string(view.rank);
  std::int64_t inner = GetDataTypeSizeBytes(info.data_type);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    const std::string at = " along axis " + std::to_string(axis);
    if (view.dims[axis] != info.shape[axis]) {
      return "a view of extent " + std::to_string(view.dims[axis]) + at;
    }
    if (info.shape.GetNumElements() == 0 || info.shape[axis] == 1) continue;
    if (view.strides_bytes[axis] < inner) {
      return "a view with a stride of " + std::to_string(view.strides_bytes[axis]) + " bytes" + at +
             ", where elements further in take " + std::to_string(inner);
    }
    inner = view.strides_bytes[axis] * info.shape[axis];
  }
  const std::uint64_t span = GetSpanBytes(info, view);
  if (view.size_bytes >= span) return "";
  return "a view of " + std::to_string(view.size_bytes) + " bytes, whose elements reach to byte " +
         std::to_string(span);
}

void ExpectTensor(Session& session, const TensorInfo& info, const MemoryView& view,
                  const std::string& of) {
  session.Expect(view.layout == TensorLayout::kKnown,
                 of + " gave a view whose layout is not kKnown",
                 "kKnown, as the properties of the kind say");
  const std::string fault = FindTensorFault(info, view);
  session.Expect(fault.empty(), of + " gave " + fault,
                 "a view of " + DescribeTensor(info) + " within its size_bytes");
}

void ExpectAnswer(Session& session, const std::string& call, Status found, Status wanted,
                  const std::string& why) {
  ExpectStatus(session, call, found, wanted, DescribeStatus(wanted) + ", " + why);
}

bool MapFor(Session& session, ITensorHandle& handle, MemoryAccess access, const TensorInfo& info,
            MemoryView* view) {
  const std::string what = "Map for access " + std::to_string(static_cast<std::uint32_t>(access));
  if (!ExpectStatus(session, what, handle.Map(access, view), Status::kSuccess,
                    "kSuccess, as the kind states supports_map_unmap")) {
    return false;
  }
  session.Expect(view->data != nullptr || info.GetSizeBytes() == 0, what + " gave no address",
                 "the address of the tensor");
  const std::string fault = FindTensorFault(info, *view);
  session.Expect(fault.empty(), what + " gave " + fault, "a view of " + DescribeTensor(info));
  return fault.empty() && (view->data != nullptr || info.GetSizeBytes() == 0);
}

bool ExpectMapped(Session& session, ITensorHandle& handle, const conformance::StoredTensor& content,
                  const std::string& otherwise) {
  MemoryView view;
  if (!MapFor(session, handle, MemoryAccess::kRead, content.info, &view)) return false;
  conformance::StoredTensor found(content.info);
  CopyFromView(view, found);
  ExpectAnswer(session, "Unmap after Map", handle.Unmap(), Status::kSuccess, "as it is mapped");
  session.Expect(found.bytes == content.bytes, otherwise, "the same bytes");
  return true;
}

}  // namespace backplane::check_backend
