// The kind of tensor memory of a lying backend.

#include "lying_functions.hpp"

#include <algorithm>
#include <iterator>

struct bp_kind {
  int unused;
};
struct bp_handle : LyingObject {
  std::int64_t dims[8];
  std::uint32_t rank;
  std::uint32_t data_type;
  std::uint64_t num_bytes;
  void* data;
  std::uint64_t source;
};

namespace backplane::fuzz {
namespace {

constexpr std::uint64_t kAlignment = 64;
// There is more room behind each tensor than some lies reach.
constexpr std::uint64_t kMoreBytes = 1U << 16U;
bp_kind rows;

// How the backend is built, as its seed says.
enum class Form : std::uint32_t { kNoKind, kMemoryOfHost, kOwnMemory, kMappedMemory };

Form GetForm() {
  return static_cast<Form>(GetLies().ChooseForm(4));
}

std::uint64_t CountBytes(const bp_tensor_info& info) {
  std::uint64_t count = info.data_type == BP_DATA_TYPE_BOOL ? 1 : 8;  // enough for every type
  for (std::uint32_t axis = 0; axis < info.rank; ++axis) {
    count *= static_cast<std::uint64_t>(info.dims[axis]);
  }
  return count;
}

bp_status AskRequirements(bp_kind* /*kind*/, const bp_handle_args* args, bp_requirements* answer,
                          bp_error* error) {
  answer->num_bytes = CountBytes(*args->info);
  answer->alignment = kAlignment;
  GetLies().Change(TableLie::kRequirementBytes, answer->num_bytes);
  GetLies().Change(TableLie::kRequirementAlignment, answer->alignment);
  return Finish(TableLie::kRequirements, args->scope->host, error);
}

bp_status Allocate(bp_kind* /*kind*/, const bp_requirements* wanted, bp_view* block,
                   bp_error* /*error*/) {
  const TableLies& lies = GetLies();
  if (lies.Tells(TableLie::kAllocate)) {
    block->data = block;
    return 1 + static_cast<bp_status>(lies.Choose(TableLie::kAllocate, 12));
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24U;
  if (wanted->num_bytes > kMost) return BP_STATUS_OUT_OF_MEMORY;
  const std::uint64_t num_bytes =
      (wanted->num_bytes + kMoreBytes + kAlignment - 1) / kAlignment * kAlignment;
  void* const data = std::aligned_alloc(kAlignment, num_bytes);
  std::memset(data, 0, num_bytes);
  block->data = data;
  block->num_bytes = wanted->num_bytes;
  block->source = GetForm() == Form::kMappedMemory ? BP_MEMORY_DEVICE : BP_MEMORY_CPU;
  block->token = reinterpret_cast<std::uintptr_t>(data);
  Hand(data, "block");
  lies.Drop(TableLie::kBlockData, block->data);
  lies.Change(TableLie::kBlockBytes, block->num_bytes);
  lies.Change(TableLie::kBlockSource, block->source);
  lies.Change(TableLie::kBlockFile, block->file);
  if (lies.Tells(TableLie::kBlockFile)) block->source = BP_MEMORY_FILE;
  return BP_STATUS_SUCCESS;
}

void FreeBlock(bp_kind* /*kind*/, const bp_view* block) {
  void* const data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(block->token));
  TakeBack(data, "block");
  std::free(data);
}

bp_status MakeHandle(bp_kind* /*kind*/, const bp_handle_args* args, bp_handle** handle,
                     bp_error* error) {
  if (args->parent != nullptr) return BP_STATUS_UNSUPPORTED;
  const bp_status status =
      Give(TableLie::kMakeHandle, TableLie::kNoHandle, "handle", args->scope->host, handle, error);
  if (status != BP_STATUS_SUCCESS || *handle == nullptr) return status;
  bp_handle& made = **handle;
  const bp_tensor_info& info = *args->info;
  if (info.rank > std::size(made.dims)) Complain("asks for a tensor of too high a rank", "handle");
  made.rank = info.rank;
  std::copy_n(info.dims, info.rank, made.dims);
  made.data_type = info.data_type;
  made.num_bytes = CountBytes(info);
  made.data = nullptr;
  made.source = GetForm() == Form::kMappedMemory ? BP_MEMORY_DEVICE : BP_MEMORY_CPU;
  return status;
}

bp_status Bind(bp_handle* handle, const bp_bind_args* args, bp_error* error) {
  const bp_status status = Finish(TableLie::kBind, args->scope->host, error);
  if (status != BP_STATUS_SUCCESS || args->memory == nullptr) return status;
  auto* const begin = static_cast<unsigned char*>(args->memory->data);
  handle->data = begin != nullptr ? begin + args->offset : nullptr;
  return status;
}

bp_status ShowView(TableLie function, bp_handle* handle, const bp_view_args* args, bp_view* view,
                   bp_error* error) {
  static const std::int64_t kStrides[16] = {-8, 0, 1, INT64_MAX, INT64_MIN, 64, 4, 3};
  const TableLies& lies = GetLies();
  const bp_status status = Finish(function, args->scope->host, error);
  if (status != BP_STATUS_SUCCESS) return status;
  view->data_type = handle->data_type;
  view->rank = handle->rank;
  view->dims = handle->dims;
  const bool is_hidden = GetForm() == Form::kMappedMemory && function != TableLie::kMap;
  view->data = is_hidden ? nullptr : handle->data;
  view->num_bytes = handle->num_bytes;
  view->source = handle->source;
  view->access = BP_ACCESS_READ_WRITE;
  view->alignment = 1;
  lies.ChangeSize(TableLie::kViewSize, view->size_bytes);
  lies.Change(TableLie::kViewType, view->data_type);
  lies.Change(TableLie::kViewRank, view->rank);
  lies.Drop(TableLie::kViewData, view->data);
  lies.Drop(TableLie::kViewDims, view->dims);
  lies.Change(TableLie::kViewExtent, handle->dims[0]);
  if (lies.Tells(TableLie::kViewStrides)) {
    view->strides = kStrides + lies.Choose(TableLie::kViewStrides, 4);
  }
  lies.Change(TableLie::kViewBytes, view->num_bytes);
  lies.Change(TableLie::kViewAccess, view->access);
  lies.Change(TableLie::kViewSource, view->source);
  lies.Change(TableLie::kViewFile, view->file);
  if (lies.Tells(TableLie::kViewFile)) view->source = BP_MEMORY_FILE;
  lies.Change(TableLie::kViewStorage, view->storage);
  lies.Change(TableLie::kViewAlignment, view->alignment);
  return status;
}

}  // namespace

bp_status ListKinds(const bp_host& host, bp_sink* sink, bp_error* error) {
  const TableLies& lies = GetLies();
  const Form form = GetForm();
  if (form == Form::kNoKind) return BP_STATUS_SUCCESS;
  auto info = MakeStruct<bp_kind_info>();
  info.id = "Fuzz/Lying/Rows";
  info.kind = &rows;
  info.flags = BP_KIND_MAP;
  if (form == Form::kOwnMemory) info.allocate_source = BP_MEMORY_CPU;
  if (form == Form::kMappedMemory) info.allocate_source = BP_MEMORY_DEVICE;
  lies.ChangeSize(TableLie::kKindSize, info.size_bytes);
  lies.Change(TableLie::kKindFlags, info.flags);
  lies.ChangeText(TableLie::kKindId, info.id);
  lies.Drop(TableLie::kNoKind, info.kind);
  lies.Change(TableLie::kKindSources, info.import_sources);
  lies.Change(TableLie::kKindSources, info.export_sources);
  lies.Change(TableLie::kKindAllocates, info.allocate_source);
  lies.Change(TableLie::kKindStorage, info.storage);
  lies.Change(TableLie::kKindArena, info.arena);
  const Room<bp_kind_info> room(info);
  return AddItem(host, sink, BP_ITEM_KIND, room.Get(), error);
}

void AddMemoryFunctions(bp_backend& table) {
  table.requirements = AskRequirements;
  table.allocate = Allocate;
  table.free_block = FreeBlock;
  table.make_handle = MakeHandle;
  table.bind = Bind;
  table.get_view = [](bp_handle* handle, const bp_view_args* args, bp_view* view, bp_error* error) {
    return ShowView(TableLie::kGetView, handle, args, view, error);
  };
  table.map = [](bp_handle* handle, const bp_view_args* args, bp_view* view, bp_error* error) {
    return ShowView(TableLie::kMap, handle, args, view, error);
  };
  table.unmap = [](bp_handle* /*handle*/, const bp_view_args* args, bp_error* error) {
    return Finish(TableLie::kUnmap, args->scope->host, error);
  };
  table.free_handle = [](bp_handle* handle) { Free(handle, "handle"); };
}

}  // namespace backplane::fuzz
