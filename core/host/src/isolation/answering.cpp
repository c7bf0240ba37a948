#include "isolation/answering.hpp"

#include "isolation/isolated_memory.hpp"

#include <backplane/host/logging.hpp>
#include <backplane/host/shared_memory.hpp>

#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Reader;
using wire::Writer;

std::string AnswerStatus(Status status) {
  return Writer().Put(status).Get();
}

std::string AnswerLayer(Status status, LayerId id) {
  return Writer().Put(status).Put(id).Get();
}

// Calls `add` with the layer, as the builder wants it.
template <typename Add>
std::string AddReplacement(Reader& reader, const Add& add) {
  const auto record = messages::TakeLayer(reader);
  if (!record) return AnswerLayer(Status::kInvalidArgument, 0);
  const auto outputs = messages::PointToEach(record->outputs);
  ReplacementLayer layer;
  layer.layer_type = record->type;
  layer.name = record->name.c_str();
  layer.descriptor = record->descriptor.IsEmpty() ? nullptr : record->descriptor.Get();
  layer.inputs = record->slots.data();
  layer.output_infos = outputs.data();
  layer.num_inputs = static_cast<std::uint32_t>(record->slots.size());
  layer.num_outputs = static_cast<std::uint32_t>(outputs.size());
  LayerId id = 0;
  const Status status = add(layer, &id);
  return AnswerLayer(status, id);
}

MemorySourceFlags WithoutMalloc(MemorySourceFlags sources) {
  return sources & ~ToFlags(MemorySource::kMalloc);
}

}  // namespace

std::string SubgraphAnswers::Answer(const wire::Message& question) {
  Reader reader(question.body);
  switch (question.function) {
    case Function::kAddLayer:
      return AddLayer(reader);
    case Function::kAddPreCompiledLayer:
      return AddPreCompiledLayer(reader);
    case Function::kAddConstant:
      return AddConstant(reader, question.descriptors);
    case Function::kReleaseConstant:
      return ReleaseConstant(reader);
    case Function::kLoadCompiled:
      return Load(reader);
    case Function::kStoreCompiled:
      return Store(reader);
    default:
      return AnswerStatus(Status::kUnsupported);
  }
}

std::string SubgraphAnswers::AddLayer(Reader& reader) {
  return AddReplacement(reader, [&](const ReplacementLayer& layer, LayerId* id) {
    return builder_.AddLayer(layer, id);
  });
}

std::string SubgraphAnswers::AddPreCompiledLayer(Reader& reader) {
  const auto number = reader.Take<std::uint64_t>();
  std::shared_ptr<IsolatedPreCompiledObject> object;
  if (number != 0) {
    if (!numbers_.Take(number)) return AnswerLayer(Status::kInvalidArgument, 0);
    object = std::make_shared<IsolatedPreCompiledObject>(
        std::make_unique<RemoteObject>(worker_, number), constants_);
  }
  return AddReplacement(reader, [&](const ReplacementLayer& layer, LayerId* id) {
    return builder_.AddPreCompiledLayer(layer, std::move(object), id);
  });
}

std::string SubgraphAnswers::AddConstant(Reader& reader,
                                         const std::vector<wire::FileDescriptor>& descriptors) {
  ConstTensor tensor;
  tensor.info = wire::TakeFields<TensorInfo>(reader);
  const std::string name(reader.TakeText());
  std::shared_ptr<SharedArea> area;
  if (tensor.info.GetSizeBytes() < wire::kLeastSharedConstant) {
    const std::string_view content = reader.TakeText();
    if (content.size() == tensor.info.GetSizeBytes()) tensor.data = content.data();
  } else {
    // One that becomes shorter would end who reads it.
    if (descriptors.size() == 1 && SealLength(descriptors.front().Get())) {
      area = SharedArea::Open(descriptors.front().Get());
    }
    const bool is_whole = area && area->GetSizeBytes() >= tensor.info.GetSizeBytes();
    if (is_whole) tensor.data = area->GetData();
  }
  if (!reader.IsAtEnd() || tensor.data == nullptr) return AnswerLayer(Status::kInvalidArgument, 0);
  LayerId id = 0;
  const Status status = builder_.AddConstant(tensor, name.c_str(), &id);
  return AnswerLayer(status, id);
}

std::string SubgraphAnswers::ReleaseConstant(Reader& reader) {
  const auto layer = reader.Take<LayerId>();
  const auto input = reader.Take<std::uint32_t>();
  if (!reader.IsAtEnd()) return AnswerStatus(Status::kInvalidArgument);
  return AnswerStatus(builder_.ReleaseConstant(layer, input));
}

std::string SubgraphAnswers::Load(Reader& reader) {
  const std::string key(reader.TakeText());
  if (cache_ == nullptr || !reader.IsAtEnd()) return AnswerStatus(Status::kNotFound);
  std::vector<std::uint8_t> content;
  const Status status = cache_->Load(key.c_str(), &content);
  return Writer().Put(status).PutBytes(content.data(), content.size()).Get();
}

std::string SubgraphAnswers::Store(Reader& reader) {
  const std::string key(reader.TakeText());
  const std::string_view content = reader.TakeText();
  if (cache_ == nullptr || !reader.IsAtEnd()) return AnswerStatus(Status::kUnsupported);
  return AnswerStatus(cache_->Store(key.c_str(), content.data(), content.size()));
}

std::string RegistryAnswers::Answer(const wire::Message& question) {
  Reader reader(question.body);
  switch (question.function) {
    case Function::kRegisterFactory:
      return AnswerStatus(AddFactory(reader));
    case Function::kRegisterMemoryManager: {
      const auto number = reader.Take<std::uint64_t>();
      if (!reader.IsAtEnd() || !numbers_.Take(number)) {
        return AnswerStatus(Status::kInvalidArgument);
      }
      has_manager_ = true;
      return AnswerStatus(registry_.RegisterMemoryManager(
          std::make_shared<IsolatedBlockManager>(std::make_unique<RemoteObject>(worker_, number))));
    }
    default:
      return AnswerStatus(Status::kUnsupported);
  }
}

Status RegistryAnswers::AddFactory(Reader& reader) {
  FactoryDescription factory;
  factory.id = std::string(reader.TakeText());
  factory.status = reader.Take<Status>();
  factory.properties = reader.Take<TensorHandleFactoryProperties>();
  const auto number = reader.Take<std::uint64_t>();
  if (!reader.IsAtEnd() || !numbers_.Take(number)) return Status::kInvalidArgument;
  TensorHandleFactoryProperties& properties = factory.properties;
  properties.size_bytes = sizeof(properties);
  // An address there is none here. What lies in memory of both can be read all the same.
  const bool is_away = has_manager_ || properties.owns_memory != 0;
  if (is_away && (properties.export_sources & ToFlags(MemorySource::kMalloc)) != 0) {
    Log("isolation", LogLevel::kInfo,
        "tensors of \"" + factory.id +
            "\" lie in the process of their backend: they are not exported by address");
    properties.export_sources = WithoutMalloc(properties.export_sources);
  }
  auto made = std::make_unique<IsolatedHandleFactory>(
      std::make_unique<RemoteObject>(worker_, number), factory);
  const Status status = registry_.RegisterFactory(std::move(made));
  if (status == Status::kSuccess) worker_->GetObjects().AddFactoryId(factory.id);
  return status;
}

}  // namespace backplane::isolation
