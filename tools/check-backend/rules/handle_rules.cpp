// Tensor handles of the kinds that a backend registers.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/kind_tensor.hpp"
#include "harness/round_up.hpp"
#include "harness/session.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <system_error>

namespace backplane::check_backend {
namespace {

using conformance::StoredTensor;

constexpr char kNoneKnown[] = "none of its kinds of tensor memory has a known layout";

std::vector<TensorInfo> ListHandledInfos(bool is_quick) {
  std::vector<TensorInfo> infos{{{2, 3}, DataType::kFloat32}};
  if (is_quick) return infos;
  infos.push_back({{}, DataType::kFloat32});
  infos.push_back({{1, 3, 5, 7}, DataType::kInt8});
  infos.push_back({{4, 33}, DataType::kFloat64});
  infos.push_back({{0, 3}, DataType::kFloat32});
  return infos;
}

/// Calls `check(kind, info)` for each tensor of each kind for which `applies(kind)`, as a case.
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

std::string DescribePlace(const MemoryView* view) {
  if (view == nullptr) return "no view";
  char text[120];
  std::snprintf(text, sizeof(text), "a view of %llu bytes at %p, file descriptor %d, offset %llu",
                static_cast<unsigned long long>(view->size_bytes), view->data,
                view->file_descriptor, static_cast<unsigned long long>(view->offset_bytes));
  return text;
}

/// Views of the same place. Null is another place than any other.
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

/// The bytes from the first element to behind the last one.
std::uint64_t GetSpanBytes(const TensorInfo& info, const MemoryView& view) {
  if (info.shape.GetNumElements() == 0) return 0;
  std::int64_t last = 0;
  for (std::uint32_t axis = 0; axis < info.shape.rank; ++axis) {
    last += (info.shape[axis] - 1) * view.strides_bytes[axis];
  }
  return static_cast<std::uint64_t>(last) + GetDataTypeSizeBytes(info.data_type);
}

/// What is wrong with the tensor that a view describes; "" when it is this one.
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

// ---- bind

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

/// A handle that is ready to be used, with its block.
struct BoundHandle {
  BoundHandle(const Kind& kind, const TensorInfo& info)
      : needed(AskRequirements(kind, info, LayerType::kUndefined)), handle(MakeHandle(kind, info)) {
    if (kind.OwnsMemory()) return;
    block = std::make_unique<KindBlock>(kind, needed, "the block");
    const Status status = handle->Bind(block->Get(), 0);
    if (status != Status::kSuccess) {
      throw std::runtime_error("Bind at offset 0 of a block of the required size returned " +
                               DescribeStatus(status));
    }
  }

  MemoryRequirements needed;
  std::unique_ptr<KindBlock> block;
  std::unique_ptr<ITensorHandle> handle;
};

StoredTensor MakeContentOf(const Session& session, const TensorInfo& info, std::uint32_t number) {
  return MakeContent(info, session.GetSeed() * 31 + number);
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

// ---- map

namespace {

/// `why`: "as the handle is not bound".
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

void CheckMap(Session& session, const Kind& kind, const TensorInfo& info) {
  MemoryView view;
  if (!kind.OwnsMemory()) {
    ExpectAnswer(session, "Map before Bind",
                 MakeHandle(kind, info)->Map(MemoryAccess::kRead, &view), Status::kInvalidArgument,
                 "as the handle is not bound");
  }
  const BoundHandle bound(kind, info);
  ITensorHandle& handle = *bound.handle;
  ExpectAnswer(session, "Unmap before Map", handle.Unmap(), Status::kInvalidArgument,
               "as the handle is not mapped");
  std::uint32_t round = 0;
  for (const MemoryAccess access : {MemoryAccess::kWrite, MemoryAccess::kReadWrite}) {
    const StoredTensor content = MakeContentOf(session, info, round++);
    if (!MapFor(session, handle, access, info, &view)) return;
    MemoryView second;
    ExpectAnswer(session, "Map while it was mapped", handle.Map(MemoryAccess::kRead, &second),
                 Status::kInvalidArgument, "as the handle is mapped already");
    CopyToView(content, view);
    ExpectAnswer(session, "Unmap after Map", handle.Unmap(), Status::kSuccess, "as it is mapped");
    ExpectAnswer(session, "Unmap after Unmap", handle.Unmap(), Status::kInvalidArgument,
                 "as the handle is not mapped");
    if (!MapFor(session, handle, MemoryAccess::kRead, info, &view)) return;
    StoredTensor found(info);
    CopyFromView(view, found);
    ExpectAnswer(session, "Unmap after Map", handle.Unmap(), Status::kSuccess, "as it is mapped");
    session.Expect(found.bytes == content.bytes,
                   "mapped for reading, the tensor does not hold what was written when it was "
                   "mapped for writing",
                   "the same bytes");
  }
  if (bound.block != nullptr) ExpectNoDamage(session, bound.block->DescribeDamage(), "the tensor");
}

void CheckNoMap(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  MemoryView view;
  ExpectAnswer(session, "Map", bound.handle->Map(MemoryAccess::kRead, &view), Status::kUnsupported,
               "as the kind does not state supports_map_unmap");
}

}  // namespace

void CheckMapsAsDeclared(Session& session) {
  ForEachTensor(
      session, "maps", kNoKinds, [](const Kind&) { return true; },
      [&](const Kind& kind, const TensorInfo& info) {
        if (kind.GetProperties().supports_map_unmap != 0) return CheckMap(session, kind, info);
        CheckNoMap(session, kind, info);
      });
}

// ---- import

namespace {

/// Memory of the application, or a memfd, that has what a tensor requires.
class Foreign {
 public:
  Foreign(const TensorInfo& info, const MemoryRequirements& needed, MemorySource source)
      : size_bytes_(RoundUp(std::max<std::uint64_t>(needed.size_bytes, 1), kPageBytes)) {
    descriptor_ = memfd_create("check-backend", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor_ < 0 || ftruncate(descriptor_, static_cast<off_t>(size_bytes_)) != 0) {
      throw std::system_error(errno, std::generic_category(), "memfd_create");
    }
    memory_ = mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    view_ = conformance::MemoryHandle(info, memory_).view;
    dense_ = view_;
    view_.source = source;
    view_.size_bytes = needed.size_bytes;
    view_.alignment_bytes = std::max<std::uint64_t>(needed.alignment_bytes, 1);
    if (source == MemorySource::kFileDescriptor) {
      view_.data = nullptr;
      view_.file_descriptor = descriptor_;
    }
  }
  ~Foreign() {
    munmap(memory_, size_bytes_);
    close(descriptor_);
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

  const MemoryView& GetView() const { return view_; }
  void Write(const StoredTensor& content) { CopyToView(content, dense_); }
  void* GetMemory() const { return memory_; }

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  std::uint64_t size_bytes_;
  int descriptor_ = -1;
  void* memory_ = nullptr;
  MemoryView view_;
  MemoryView dense_;
};

constexpr MemorySource kSources[] = {MemorySource::kMalloc, MemorySource::kFileDescriptor};

const char* GetSourceName(MemorySource source) {
  return source == MemorySource::kMalloc ? "kMalloc" : "kFileDescriptor";
}

/// Only tensors that need just their own bytes are imported.
bool IsDense(const Kind& kind, const TensorInfo& info, const MemoryRequirements& needed) {
  return kind.IsKnown() && needed.size_bytes == info.GetSizeBytes();
}

bool ImportsAny(const Kind& kind) {
  return kind.Imports(kSources[0]) || kind.Imports(kSources[1]);
}

void ExpectImported(Session& session, const Kind& kind, ITensorHandle& handle, Foreign& foreign,
                    const TensorInfo& info) {
  const MemoryView* const view = handle.GetMemoryView();
  if (!session.Expect(view != nullptr, "GetMemoryView gave null after Import",
                      "a view of the imported memory, as the layout is known")) {
    return;
  }
  ExpectTensor(session, info, *view, "after Import, GetMemoryView");
  const bool is_malloc = foreign.GetView().source == MemorySource::kMalloc;
  if (is_malloc && view->data != nullptr && info.GetSizeBytes() > 0) {
    session.Expect(view->data == foreign.GetMemory(),
                   "after Import, " + DescribePlace(view) + ", not at the address imported",
                   "the imported memory");
  }
  if (kind.GetProperties().supports_map_unmap == 0) return;
  const StoredTensor content = MakeContentOf(session, info, 7);
  foreign.Write(content);
  MemoryView mapped;
  if (!MapFor(session, handle, MemoryAccess::kRead, info, &mapped)) return;
  StoredTensor found(info);
  CopyFromView(mapped, found);
  ExpectAnswer(session, "Unmap after Map", handle.Unmap(), Status::kSuccess, "as it is mapped");
  session.Expect(found.bytes == content.bytes,
                 "mapped after Import, the tensor does not hold what the imported memory holds",
                 "the same bytes");
}

void CheckImport(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  ITensorHandle& handle = *bound.handle;
  if (!IsDense(kind, info, bound.needed)) return;
  const std::optional<MemoryView> before = KeepView(handle);
  ExpectAnswer(session, "Unimport before Import", handle.Unimport(), Status::kInvalidArgument,
               "as nothing is imported");
  for (const MemorySource source : kSources) {
    const bool is_file = source == MemorySource::kFileDescriptor;
    if (!kind.Imports(source) || (is_file && info.GetSizeBytes() == 0)) continue;
    Foreign foreign(info, bound.needed, source);
    const std::string what = std::string("Import of memory of ") + GetSourceName(source);
    for (int round = 0; round < 2; ++round) {
      if (!ExpectStatus(session, what, handle.Import(foreign.GetView()), Status::kSuccess,
                        "kSuccess, as the kind imports this source, and the memory has the size "
                        "and the alignment that it requires")) {
        break;
      }
      ExpectImported(session, kind, handle, foreign, info);
      ExpectAnswer(session, "Unimport after Import", handle.Unimport(), Status::kSuccess,
                   "as memory is imported");
      ExpectAsBefore(session, handle, before, "after Unimport");
    }
  }
  ExpectAnswer(session, "Unimport after Unimport", handle.Unimport(), Status::kInvalidArgument,
               "as nothing is imported");
}

void ExpectImportRefused(Session& session, ITensorHandle& handle, const MemoryView& memory,
                         Status expected, const std::string& what, const std::string& why) {
  const std::optional<MemoryView> before = KeepView(handle);
  const Status status = handle.Import(memory);
  ExpectAnswer(session, "Import of " + what, status, expected, why);
  if (status == Status::kSuccess) {
    static_cast<void>(handle.Unimport());
    return;
  }
  ExpectAsBefore(session, handle, before, "after Import of " + what + " was refused");
}

void CheckImportRefuses(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  if (!IsDense(kind, info, bound.needed) || info.GetSizeBytes() == 0) return;
  for (const MemorySource source : kSources) {
    const Foreign foreign(info, bound.needed, source);
    const std::string name = std::string("memory of ") + GetSourceName(source);
    if (!kind.Imports(source)) {
      ExpectImportRefused(session, *bound.handle, foreign.GetView(), Status::kUnsupported, name,
                          "as the kind does not import this source");
      continue;
    }
    MemoryView small = foreign.GetView();
    small.size_bytes = info.GetSizeBytes() - 1;
    ExpectImportRefused(session, *bound.handle, small, Status::kInvalidArgument,
                        name + " that is one byte too small", "as the size does not fit");
  }
}

}  // namespace

void CheckImportsAsDeclared(Session& session) {
  ForEachTensor(
      session, "imports memory for",
      "none of its kinds of tensor memory imports kMalloc or kFileDescriptor", &ImportsAny,
      [&](const Kind& kind, const TensorInfo& info) { CheckImport(session, kind, info); });
}

void CheckImportRefusesWhatDoesNotFit(Session& session) {
  ForEachTensor(
      session, "imports what does not fit for", kNoneKnown,
      [](const Kind& kind) { return kind.IsKnown(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckImportRefuses(session, kind, info); });
}

// ---- export

namespace {

void CheckExport(Session& session, const Kind& kind, const TensorInfo& info) {
  const BoundHandle bound(kind, info);
  if (!IsDense(kind, info, bound.needed) || info.GetSizeBytes() == 0) return;
  for (const MemorySource source : kSources) {
    MemoryView view;
    const Status status = bound.handle->Export(source, &view);
    const std::string what = std::string("Export as ") + GetSourceName(source);
    if (!kind.Exports(source)) {
      ExpectAnswer(session, what, status, Status::kUnsupported,
                   "as the kind does not export this source");
      continue;
    }
    if (!ExpectStatus(session, what, status, Status::kSuccess,
                      "kSuccess, as the kind exports this source")) {
      continue;
    }
    session.Expect(view.source == source, what + " gave memory of another source",
                   GetSourceName(source));
    ExpectTensor(session, info, view, what);
    const bool is_known =
        source == MemorySource::kMalloc ? view.data != nullptr : view.file_descriptor >= 0;
    session.Expect(is_known, what + " gave " + DescribePlace(&view),
                   "an address of kMalloc, a descriptor of kFileDescriptor");
    if (!is_known || source != MemorySource::kMalloc ||
        kind.GetProperties().supports_map_unmap == 0) {
      continue;
    }
    const StoredTensor content = MakeContentOf(session, info, 11);
    MemoryView mapped;
    if (!MapFor(session, *bound.handle, MemoryAccess::kWrite, info, &mapped)) continue;
    CopyToView(content, mapped);
    ExpectAnswer(session, "Unmap after Map", bound.handle->Unmap(), Status::kSuccess,
                 "as it is mapped");
    if (bound.handle->Export(source, &view) != Status::kSuccess) continue;
    StoredTensor found(info);
    CopyFromView(view, found);
    session.Expect(found.bytes == content.bytes,
                   "the exported memory does not hold what was written when the tensor was mapped",
                   "the same bytes");
  }
}

}  // namespace

void CheckExportsAsDeclared(Session& session) {
  ForEachTensor(
      session, "exports", kNoneKnown, [](const Kind& kind) { return kind.IsKnown(); },
      [&](const Kind& kind, const TensorInfo& info) { CheckExport(session, kind, info); });
}

// ---- parts

namespace {

struct Part {
  TensorInfo whole;
  TensorInfo part;
  std::vector<std::int64_t> origin;
};

std::vector<Part> ListParts() {
  return {{{{4, 6}, DataType::kFloat32}, {{2, 6}, DataType::kFloat32}, {1, 0}},
          {{{4, 6}, DataType::kFloat32}, {{4, 2}, DataType::kFloat32}, {0, 3}},
          {{{2, 5, 7}, DataType::kInt8}, {{1, 2, 3}, DataType::kInt8}, {1, 2, 4}},
          {{{8}, DataType::kFloat32}, {{8}, DataType::kFloat32}, {0}}};
}

/// What of a part is not where it should be in the whole; "" when all is.
std::string FindPartFault(const Part& part, const MemoryView& whole, const MemoryView& view) {
  const std::string fault = FindTensorFault(part.part, view);
  if (!fault.empty()) return fault;
  std::int64_t offset = 0;
  for (std::uint32_t axis = 0; axis < part.part.shape.rank; ++axis) {
    offset += part.origin[axis] * whole.strides_bytes[axis];
    if (part.part.shape[axis] == 1 || view.strides_bytes[axis] == whole.strides_bytes[axis]) {
      continue;
    }
    return "a view with a stride of " + std::to_string(view.strides_bytes[axis]) +
           " bytes along axis " + std::to_string(axis) + " in a whole with a stride of " +
           std::to_string(whole.strides_bytes[axis]);
  }
  if (whole.data == nullptr || view.data == nullptr) return "";
  const std::int64_t found =
      static_cast<const unsigned char*>(view.data) - static_cast<const unsigned char*>(whole.data);
  if (found == offset) return "";
  return "a view " + std::to_string(found) +
         " bytes behind the beginning of the whole instead of " + std::to_string(offset);
}

void CheckPart(Session& session, const Kind& kind, const Part& part) {
  const MemoryRequirements needed = AskRequirements(kind, part.whole, LayerType::kUndefined);
  const std::uint64_t unit = RoundUp(needed.size_bytes, needed.alignment_bytes);
  std::unique_ptr<KindBlock> block;
  if (!kind.OwnsMemory()) {
    block = std::make_unique<KindBlock>(
        kind, MemoryRequirements{2 * unit, needed.alignment_bytes, {}}, "the block");
  }
  const auto whole = MakeHandle(kind, part.whole);
  SubTensorHandleArgs args;
  args.parent = whole.get();
  args.info = &part.part;
  args.origin = part.origin.data();
  const auto handle = kind.Get().CreateSubTensorHandle(args);
  if (handle == nullptr) return;  // this part cannot be addressed, which is allowed
  if (block != nullptr) {
    session.Expect(handle->GetMemoryView() == nullptr,
                   "GetMemoryView of the part gave a view before the whole was bound", "null");
  }
  for (const std::uint64_t offset : {std::uint64_t{0}, unit}) {
    if (block != nullptr && whole->Bind(block->Get(), offset) != Status::kSuccess) {
      return session.Report(
          "Bind of a tensor that has parts, at offset " + std::to_string(offset) + ", failed",
          "kSuccess");
    }
    const MemoryView* const whole_view = whole->GetMemoryView();
    const MemoryView* const view = handle->GetMemoryView();
    if (!session.Expect(view != nullptr && whole_view != nullptr,
                        "GetMemoryView of the part, or of the whole, gave null when the whole was "
                        "bound",
                        "views, as the layout is known")) {
      return;
    }
    const std::string fault = FindPartFault(part, *whole_view, *view);
    session.Expect(fault.empty(),
                   "when the whole was bound at offset " + std::to_string(offset) +
                       ", GetMemoryView of the part gave " + fault,
                   "the part inside of the whole, with its strides");
  }
}

}  // namespace

void CheckPartsLieInTheWhole(Session& session) {
  const RegisteredMemory memory = session.GetPlugin().RegisterMemory();
  if (memory.factories.empty()) return session.Skip(kNoKinds);
  for (const Kind& kind : ListKinds(memory)) {
    if (kind.GetProperties().supports_sub_tensors == 0 || !kind.IsKnown()) continue;
    for (const Part& part : ListParts()) {
      if (!session.Begin("makes " + DescribeTensor(part.part) + " as a part of " +
                         DescribeTensor(part.whole) + " of " + kind.GetId())) {
        continue;
      }
      CheckPart(session, kind, part);
    }
  }
  if (!session.HasCases()) {
    session.Skip("none of its kinds of tensor memory states supports_sub_tensors");
  }
}

}  // namespace backplane::check_backend
