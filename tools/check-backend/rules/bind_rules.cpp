// Tensor handles of a backend's own kinds: where they are bound.

#include "harness/round_up.hpp"
#include "harness/session.hpp"
#include "rules/handle_expectations.hpp"

#include <algorithm>
#include <vector>

namespace backplane::check_backend {
namespace {

/// Where in a block a tensor is bound, and what it requires there.
struct Room {
  const MemoryBlock& block;
  std::uint64_t offset;
  MemoryRequirements needed;
};

void ExpectInRoom(Session& session, const TensorInfo& info, const MemoryView& view,
                  const Room& room) {
  const std::string where = "bound at offset " + std::to_string(room.offset) + " of a block of " +
                            std::to_string(room.block.size_bytes) + " bytes, " +
                            DescribePlace(&view);
  session.Expect(view.size_bytes <= room.needed.size_bytes, where,
                 "at most the " + std::to_string(room.needed.size_bytes) +
                     " bytes that GetRequirements asked for");
  if (view.data != nullptr && room.block.data != nullptr) {
    const auto* const begin = static_cast<const unsigned char*>(room.block.data) + room.offset;
    const auto* const data = static_cast<const unsigned char*>(view.data);
    session.Expect(data >= begin && data + view.size_bytes <= begin + room.needed.size_bytes, where,
                   "a view inside of the block from that offset on");
    const bool is_dense = room.needed.size_bytes == info.GetSizeBytes();
    session.Expect(!is_dense || data == begin, where,
                   "a view from that offset on, as the tensor is dense");
  }
  if (view.file_descriptor >= 0 && room.block.file_descriptor >= 0) {
    session.Expect(view.offset_bytes >= room.offset &&
                       view.offset_bytes + view.size_bytes <= room.offset + room.needed.size_bytes,
                   where, "a view inside of the block from that offset on");
  }
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  const bool is_aligned = view.alignment_bytes == 0 || address % view.alignment_bytes == 0;
  session.Expect(is_aligned,
                 where + ", with alignment_bytes " + std::to_string(view.alignment_bytes),
                 "an alignment that the address has");
}

void ExpectBound(Session& session, const Kind& kind, const TensorInfo& info,
                 const ITensorHandle& handle, const Room& room) {
  const MemoryView* const view = handle.GetMemoryView();
  if (!kind.IsKnown()) {
    session.Expect(view == nullptr || view->layout == TensorLayout::kOpaque,
                   "GetMemoryView gave a view of known layout",
                   "null or a view of the layout kOpaque, as the properties of the kind say");
    return;
  }
  if (!session.Expect(view != nullptr, "GetMemoryView gave null after Bind",
                      "a view, as the layout is known")) {
    return;
  }
  ExpectTensor(session, info, *view, "GetMemoryView");
  ExpectInRoom(session, info, *view, room);
}

void CheckBind(Session& session, const Kind& kind, const TensorInfo& info) {
  const MemoryRequirements needed = AskRequirements(kind, info, LayerType::kUndefined);
  const std::uint64_t unit =
      RoundUp(std::max<std::uint64_t>(needed.size_bytes, 1), needed.alignment_bytes);
  const KindBlock block(kind, {3 * unit, needed.alignment_bytes, {}}, "the block");
  const auto handle = MakeHandle(kind, info);
  session.Expect(handle->GetMemoryView() == nullptr, "GetMemoryView gave a view before Bind",
                 "null");
  std::optional<MemoryView> before;
  for (const std::uint64_t offset : {unit, 2 * unit, std::uint64_t{0}}) {
    const Status status = handle->Bind(block.Get(), offset);
    if (!ExpectStatus(session,
                      "Bind at offset " + std::to_string(offset) + " of a block of " +
                          std::to_string(3 * unit) + " bytes",
                      status, Status::kSuccess,
                      "kSuccess, as the tensor requires " + std::to_string(needed.size_bytes))) {
      return;
    }
    ExpectBound(session, kind, info, *handle, {block.Get(), offset, needed});
    const MemoryView* const view = handle->GetMemoryView();
    const bool is_told = view != nullptr && (view->data != nullptr || view->file_descriptor >= 0);
    if (is_told && info.GetSizeBytes() > 0) {
      session.Expect(!IsSamePlace(before, view),
                     "bound elsewhere, GetMemoryView gave the place before: " + DescribePlace(view),
                     "the place where it was bound last");
      before = *view;
    }
  }
}

void ExpectBindRefused(Session& session, ITensorHandle& handle, const MemoryBlock& block,
                       std::uint64_t offset, const std::string& when) {
  const std::optional<MemoryView> before = KeepView(handle);
  const Status status = handle.Bind(block, offset);
  ExpectStatus(session,
               when + ", Bind at offset " + std::to_string(offset) + " of a block of " +
                   std::to_string(block.size_bytes) + " bytes",
               status, Status::kInvalidArgument, "kInvalidArgument, as the tensor does not fit");
  ExpectAsBefore(session, handle, before, when + ", after Bind was refused");
}

void CheckBindRefuses(Session& session, const Kind& kind, const TensorInfo& info) {
  if (info.GetSizeBytes() == 0) return;  // fits anywhere
  const MemoryRequirements needed = AskRequirements(kind, info, LayerType::kUndefined);
  const std::uint64_t alignment = std::max<std::uint64_t>(needed.alignment_bytes, 1);
  const KindBlock block(kind, {RoundUp(needed.size_bytes, alignment), alignment, {}}, "the block");
  const std::uint64_t size = block.Get().size_bytes;
  std::vector<std::uint64_t> offsets{RoundUp(size, alignment), RoundUp(size, alignment) + alignment,
                                     ~std::uint64_t{0} - (alignment - 1)};
  // One byte less than the elements need.
  if (kind.IsKnown()) offsets.push_back(RoundUp(size - info.GetSizeBytes() + 1, alignment));
  const auto handle = MakeHandle(kind, info);
  for (const std::uint64_t offset : offsets) {
    ExpectBindRefused(session, *handle, block.Get(), offset, "unbound");
  }
  if (handle->Bind(block.Get(), 0) != Status::kSuccess) return;  // which BC0415 says
  for (const std::uint64_t offset : offsets) {
    ExpectBindRefused(session, *handle, block.Get(), offset, "bound");
  }
}

void CheckOwnMemory(Session& session, const Kind& kind, const TensorInfo& info) {
  const auto handle = MakeHandle(kind, info);
  const std::optional<MemoryView> before = KeepView(*handle);
  if (kind.IsKnown() &&
      session.Expect(before.has_value(), "GetMemoryView gave null",
                     "a view, as the layout is known and handles allocate for themselves")) {
    ExpectTensor(session, info, *before, "GetMemoryView");
  }
  std::vector<unsigned char> memory(info.GetSizeBytes() + 8192);
  MemoryBlock block;
  block.data = memory.data();
  block.source = MemorySource::kMalloc;
  block.size_bytes = memory.size();
  ExpectStatus(session, "Bind", handle->Bind(block, 0), Status::kUnsupported,
               "kUnsupported, as handles of this kind manage their own memory");
  ExpectAsBefore(session, *handle, before, "after Bind was refused");
}

}  // namespace

void CheckHandlesLieWhereTheyAreBound(Session& session) {
  ForEachTensor(
      session, "binds", "its kinds of tensor memory allocate for themselves",
      [](const Kind& kind) { return !kind.OwnsMemory(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckBind(session, kind, info); });
}

void CheckBindRefusesWhatDoesNotFit(Session& session) {
  ForEachTensor(
      session, "binds where it does not fit", "its kinds of tensor memory allocate for themselves",
      [](const Kind& kind) { return !kind.OwnsMemory(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckBindRefuses(session, kind, info); });
}

void CheckOwnMemoryIsNotBound(Session& session) {
  ForEachTensor(
      session, "makes and binds", "none of its kinds of tensor memory states owns_memory",
      [](const Kind& kind) { return kind.OwnsMemory(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckOwnMemory(session, kind, info); });
}

}  // namespace backplane::check_backend
