// Kinds of tensor memory: factories, handles and blocks.
#include "serving/served_backend.hpp"

#include <fcntl.h>

#include <cstring>
#include <tuple>

namespace backplane::serving {
namespace {

using wire::Function;

/// Sends a file along. With one that is not open, nothing could be sent.
/// Errors: std::runtime_error when it is not open.
void AddFile(int file, std::vector<int>& files) {
  if (fcntl(file, F_GETFD) < 0) {
    throw std::runtime_error("the backend names " + std::to_string(file) +
                             " as the file of its memory; expected a descriptor that is open");
  }
  files.push_back(file);
}

}  // namespace

/// The host's registry, asked by messages. What the backend registers is kept by numbers from
/// `next_id` on.
class ServedBackend::Registry final : public TensorHandleFactoryRegistry {
 public:
  Registry(HostLine& line, Objects& objects, std::uint64_t next_id)
      : line_(line), objects_(objects), next_id_(next_id) {}

  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override {
    if (!factory) return Status::kInvalidArgument;
    TensorHandleFactoryProperties properties;
    const Status status = factory->GetProperties(&properties);
    const char* const id = factory->GetId();
    Writer writer;
    writer.PutText(id != nullptr ? id : "").Put(status, properties, next_id_);
    objects_.Keep(next_id_++, std::move(factory));
    return line_.Ask(Function::kRegisterFactory, writer);
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) override {
    if (!memory_manager) return Status::kInvalidArgument;
    objects_.Keep(next_id_, std::move(memory_manager));
    return line_.Ask(Function::kRegisterMemoryManager, Writer().Put(next_id_++));
  }

 private:
  HostLine& line_;
  Objects& objects_;
  std::uint64_t next_id_;
};

void ServedBackend::RegisterFactories(std::uint64_t next_id, const CallParts& parts) {
  Registry registry(line_, objects_, next_id);
  backend_.RegisterTensorHandleFactories(registry, MakeArgs<BackendCallArgs>(parts));
}

MemoryRequirements ServedBackend::GetRequirements(HandleFactory& factory, LayerType layer_type,
                                                  const TensorInfo& info) {
  TensorRequirementsArgs args;
  args.layer_type = layer_type;
  args.info = &info;
  return factory->GetRequirements(args);
}

wire::Writer ServedBackend::CreateTensorHandle(Request& request, std::uint64_t id,
                                               HandleFactory& factory, const TensorInfo& info) {
  TensorHandleArgs args;
  args.info = &info;
  return KeepHandle(request, id, factory->CreateTensorHandle(args));
}

wire::Writer ServedBackend::CreateSubTensorHandle(Request& request, std::uint64_t id,
                                                  HandleFactory& factory, ServedHandle& parent,
                                                  const TensorInfo& info,
                                                  std::vector<std::int64_t> origin) {
  origin.resize(kMaxRank);
  SubTensorHandleArgs args;
  args.parent = parent.handle.get();
  args.info = &info;
  args.origin = origin.data();
  return KeepHandle(request, id, factory->CreateSubTensorHandle(args));
}

wire::Writer ServedBackend::KeepHandle(Request& request, std::uint64_t id,
                                       std::unique_ptr<ITensorHandle> handle) {
  if (!handle) return Writer().Put(false);
  const Writer answer = Writer().Put(true, Place(handle->GetMemoryView(), request));
  ServedHandle served;
  served.handle = std::move(handle);
  objects_.Keep(id, std::move(served));
  return answer;
}

wire::Writer ServedBackend::BindHandle(Request& request, ServedHandle& handle,
                                       std::uint64_t block_id, std::uint64_t area,
                                       std::uint64_t begin_bytes, std::uint64_t size_bytes,
                                       std::uint64_t offset_bytes) {
  MemoryBlock block;
  if (block_id != 0) {
    block = Get<ServedBlock>(block_id).block;
  } else {
    block.data = areas_.Find(area, begin_bytes, size_bytes).get();
    block.source = MemorySource::kMalloc;
    block.size_bytes = size_bytes;
    if (block.data == nullptr)
      return Writer().Put(Status::kInvalidArgument, Place(nullptr, request));
  }
  const Status status = handle.handle->Bind(block, offset_bytes);
  return Writer().Put(status, Place(handle.handle->GetMemoryView(), request));
}

wire::Writer ServedBackend::MapHandle(Request& request, ServedHandle& handle, MemoryAccess access) {
  handle.mapped = {};
  const Status status = handle.handle->Map(access, &handle.mapped);
  const bool is_mapped = status == Status::kSuccess;
  return Writer().Put(status, Place(is_mapped ? &handle.mapped : nullptr, request));
}

Status ServedBackend::CopyMapped(ServedHandle& handle, std::uint64_t area, std::uint64_t size_bytes,
                                 bool is_read) {
  const MemoryView& view = handle.mapped;
  const auto staged = areas_.Find(area, 0, size_bytes);
  const bool is_there = view.data != nullptr && size_bytes <= view.size_bytes;
  if (!staged || !is_there) return Status::kInvalidArgument;
  void* const to = is_read ? staged.get() : view.data;
  const void* const from = is_read ? view.data : staged.get();
  std::memmove(to, from, size_bytes);
  return Status::kSuccess;
}

wire::Writer ServedBackend::ImportIntoHandle(Request& request, ServedHandle& handle,
                                             std::uint64_t version, const PlacedView& placed) {
  MemoryView view = WithoutAddress(placed.view);
  if (placed.area != 0) {
    view.data = areas_.Find(placed.area, placed.offset_bytes, view.size_bytes).get();
    if (view.data == nullptr)
      return Writer().Put(Status::kInvalidArgument, Place(nullptr, request));
  }
  if (!request.descriptors.empty()) {
    handle.imported_file = std::move(request.descriptors.front());
    view.file_descriptor = handle.imported_file.Get();
  }
  const Status status = handle.Import(view, version);
  return Writer().Put(status, Place(handle.handle->GetMemoryView(), request));
}

wire::Writer ServedBackend::ExportHandle(Request& request, ServedHandle& handle,
                                         MemorySource source) {
  MemoryView view;
  const Status status = handle.handle->Export(source, &view);
  return Writer().Put(status, Place(status == Status::kSuccess ? &view : nullptr, request));
}

wire::Writer ServedBackend::AcquireBlock(Request& request, std::uint64_t id, Manager& manager,
                                         const MemoryRequirements& requirements) {
  MemoryBlock block;
  const Status status = manager->Acquire(requirements, &block);
  if (status == Status::kSuccess) {
    try {
      if (block.file_descriptor >= 0) AddFile(block.file_descriptor, request.answer_descriptors);
      objects_.Keep(id, ServedBlock{manager, block});
    } catch (...) {
      manager->Release(block);
      throw;
    }
  }
  return Writer().Put(status, block.source, block.size_bytes);
}

std::optional<PlacedView> ServedBackend::Place(const MemoryView* view, Request& request) const {
  if (view == nullptr) return std::nullopt;
  PlacedView placed{WithoutAddress(*view)};
  const auto place = view->data != nullptr ? areas_.FindPlace(view->data) : std::nullopt;
  if (place) std::tie(placed.area, placed.offset_bytes) = *place;
  if (view->file_descriptor >= 0) {
    placed.view.file_descriptor = 0;
    AddFile(view->file_descriptor, request.answer_descriptors);
  }
  return placed;
}

}  // namespace backplane::serving
