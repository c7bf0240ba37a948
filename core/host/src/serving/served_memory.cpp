// Kinds of tensor memory: factories, handles and blocks.
#include "serving/served_backend.hpp"

#include "messages/api_values.hpp"
#include "serving/answers.hpp"
#include "serving/asking.hpp"

#include <fcntl.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::serving {
namespace {

using wire::Writer;

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

ServedBackend::Body ServedBackend::RegisterFactories(Request& request) {
  auto next_id = request.reader.Take<std::uint64_t>();
  const CallParts parts = TakeCallParts(request);
  AskingRegistry registry(
      line_,
      [&](std::unique_ptr<ITensorHandleFactory> factory) {
        objects_.Keep(next_id, std::move(factory));
        return next_id++;
      },
      [&](std::shared_ptr<IMemoryManager> manager) {
        objects_.Keep(next_id, std::move(manager));
        return next_id++;
      });
  backend_.RegisterTensorHandleFactories(registry, MakeCallArgs(parts));
  return {};
}

ServedBackend::Body ServedBackend::GetRequirements(Request& request) {
  auto& factory = Get<std::unique_ptr<ITensorHandleFactory>>(request.reader.Take<std::uint64_t>());
  TensorRequirementsArgs args;
  args.layer_type = request.reader.Take<LayerType>();
  const TensorInfo info = wire::TakeFields<TensorInfo>(request.reader);
  args.info = &info;
  return Writer().Put(factory->GetRequirements(args)).Get();
}

ServedBackend::Body ServedBackend::CreateTensorHandle(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<ITensorHandleFactory>>(request.reader.Take<std::uint64_t>());
  const TensorInfo info = wire::TakeFields<TensorInfo>(request.reader);
  TensorHandleArgs args;
  args.info = &info;
  auto handle = factory->CreateTensorHandle(args);
  return AnswerHandle(id, std::move(handle), request);
}

ServedBackend::Body ServedBackend::CreateSubTensorHandle(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& factory = Get<std::unique_ptr<ITensorHandleFactory>>(request.reader.Take<std::uint64_t>());
  auto& parent = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const TensorInfo info = wire::TakeFields<TensorInfo>(request.reader);
  std::int64_t origin[kMaxRank] = {};
  for (std::int64_t& index : origin) index = request.reader.Take<std::int64_t>();
  SubTensorHandleArgs args;
  args.parent = parent.handle.get();
  args.info = &info;
  args.origin = origin;
  auto handle = factory->CreateSubTensorHandle(args);
  return AnswerHandle(id, std::move(handle), request);
}

ServedBackend::Body ServedBackend::AnswerHandle(std::uint64_t id,
                                                std::unique_ptr<ITensorHandle> handle,
                                                Request& request) {
  if (!handle) return AnswerMade(false);
  Writer writer;
  writer.Put(std::uint8_t{1});
  PutView(writer, handle->GetMemoryView(), request);
  ServedHandle served;
  served.handle = std::move(handle);
  objects_.Keep(id, std::move(served));
  return writer.Get();
}

ServedBackend::Body ServedBackend::BindHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto block_id = request.reader.Take<std::uint64_t>();
  const auto area = request.reader.Take<std::uint64_t>();
  const auto begin_bytes = request.reader.Take<std::uint64_t>();
  const auto size_bytes = request.reader.Take<std::uint64_t>();
  const auto offset_bytes = request.reader.Take<std::uint64_t>();
  MemoryBlock block;
  if (block_id != 0) {
    block = Get<ServedBlock>(block_id).block;
  } else {
    block.data = areas_.Find(area, begin_bytes, size_bytes);
    block.source = MemorySource::kMalloc;
    block.size_bytes = size_bytes;
    if (block.data == nullptr) return AnswerStatus(Status::kInvalidArgument);
  }
  Writer writer;
  writer.Put(handle.handle->Bind(block, offset_bytes));
  PutView(writer, handle.handle->GetMemoryView(), request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::MapHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto access = request.reader.Take<MemoryAccess>();
  handle.mapped = {};
  const Status status = handle.handle->Map(access, &handle.mapped);
  Writer writer;
  writer.Put(status);
  PutView(writer, status == Status::kSuccess ? &handle.mapped : nullptr, request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::CopyMapped(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto area = request.reader.Take<std::uint64_t>();
  const auto size_bytes = request.reader.Take<std::uint64_t>();
  const bool is_read = request.reader.Take<std::uint8_t>() != 0;
  const MemoryView& view = handle.mapped;
  std::byte* staged = areas_.Find(area, 0, size_bytes);
  const bool is_there = view.data != nullptr && size_bytes <= view.size_bytes;
  if (staged == nullptr || !is_there) return AnswerStatus(Status::kInvalidArgument);
  void* const to = is_read ? staged : view.data;
  const void* const from = is_read ? view.data : staged;
  std::memmove(to, from, size_bytes);
  return AnswerStatus(Status::kSuccess);
}

ServedBackend::Body ServedBackend::UnmapHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  handle.mapped = {};
  return AnswerStatus(handle.handle->Unmap());
}

ServedBackend::Body ServedBackend::ImportIntoHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto version = request.reader.Take<std::uint64_t>();
  auto view = request.reader.Take<MemoryView>();
  const auto area = request.reader.Take<std::uint64_t>();
  const auto offset_bytes = request.reader.Take<std::uint64_t>();
  view.data = nullptr;
  if (area != 0) {
    view.data = areas_.Find(area, offset_bytes, view.size_bytes);
    if (view.data == nullptr) return AnswerStatus(Status::kInvalidArgument);
  }
  view.file_descriptor = -1;
  if (!request.descriptors.empty()) {
    handle.imported_file = std::move(request.descriptors.front());
    view.file_descriptor = handle.imported_file.Get();
  }
  Writer writer;
  writer.Put(handle.Import(view, version));
  PutView(writer, handle.handle->GetMemoryView(), request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::UnimportHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  Writer writer;
  writer.Put(handle.Unimport(request.reader.Take<std::uint64_t>()));
  PutView(writer, handle.handle->GetMemoryView(), request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::ExportHandle(Request& request) {
  auto& handle = Get<ServedHandle>(request.reader.Take<std::uint64_t>());
  const auto source = request.reader.Take<MemorySource>();
  MemoryView view;
  const Status status = handle.handle->Export(source, &view);
  Writer writer;
  writer.Put(status);
  PutView(writer, status == Status::kSuccess ? &view : nullptr, request);
  return writer.Get();
}

ServedBackend::Body ServedBackend::AcquireBlock(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  auto& manager = Get<std::shared_ptr<IMemoryManager>>(request.reader.Take<std::uint64_t>());
  const auto requirements = request.reader.Take<MemoryRequirements>();
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
  return Writer().Put(status).Put(block.source).Put(block.size_bytes).Get();
}

ServedBackend::Body ServedBackend::ReleaseBlock(Request& request) {
  const auto id = request.reader.Take<std::uint64_t>();
  ServedBlock& served = Get<ServedBlock>(id);
  served.manager->Release(served.block);
  objects_.Destroy(id);
  return {};
}

void ServedBackend::PutView(Writer& writer, const MemoryView* view, Request& request) const {
  writer.Put(static_cast<std::uint8_t>(view != nullptr ? 1 : 0));
  if (view == nullptr) return;
  const auto place = view->data != nullptr ? areas_.FindPlace(view->data) : std::nullopt;
  MemoryView sent = *view;
  sent.data = nullptr;
  sent.file_descriptor = view->file_descriptor >= 0 ? 0 : -1;
  writer.Put(sent).Put(place ? place->first : std::uint64_t{0});
  writer.Put(place ? place->second : std::uint64_t{0});
  if (view->file_descriptor >= 0) AddFile(view->file_descriptor, request.answer_descriptors);
}

}  // namespace backplane::serving
