#include "serving/asking.hpp"

#include <backplane/host/shared_memory.hpp>

#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace backplane::serving {
namespace {

using wire::Function;
using wire::Reader;
using wire::Writer;

Status TakeStatus(Reader& reader) {
  const auto status = reader.Take<Status>();
  return reader.IsWhole() ? status : Status::kFailure;
}

void PutReplacement(Writer& writer, const ReplacementLayer& layer) {
  messages::LayerSource source;
  source.type = layer.layer_type;
  source.name = layer.name;
  source.descriptor = layer.descriptor;
  source.num_inputs = layer.num_inputs;
  source.num_outputs = layer.num_outputs;
  source.outputs = layer.output_infos;
  source.slots = layer.inputs;
  messages::Put(writer, source);
}

}  // namespace

bool ServedSubgraph::Read(Reader& reader, const FindConstant& find_constant) {
  const std::size_t count = reader.TakeCount(1);
  for (std::size_t i = 0; i < count; ++i) {
    auto record = messages::TakeLayer(reader);
    if (!record || record->slots.size() != record->inputs.size() ||
        record->constants.size() != record->inputs.size()) {
      return false;
    }
    auto entry = std::make_unique<Entry>();
    entry->record = std::move(*record);
    entry->inputs = messages::PointToEach(entry->record.inputs);
    entry->outputs = messages::PointToEach(entry->record.outputs);
    entry->shared.resize(entry->inputs.size());
    entry->contents.resize(entry->inputs.size());
    entry->constants.resize(entry->inputs.size(), nullptr);
    for (std::size_t input = 0; input < entry->inputs.size(); ++input) {
      const auto& constant = entry->record.constants[input];
      if (!constant) continue;
      entry->shared[input] = find_constant(*constant);
      const void* const content = entry->shared[input].get();
      if (content == nullptr && constant->info.GetSizeBytes() != 0) return false;
      entry->contents[input] = {
          constant->info, content, {constant->identity[0], constant->identity[1]}};
      entry->constants[input] = &entry->contents[input];
    }
    LayerView& view = entry->view;
    view.layer_type = entry->record.type;
    view.id = entry->record.id;
    view.name = entry->record.name.c_str();
    view.descriptor = entry->record.descriptor.Get();
    view.inputs = entry->record.slots.data();
    view.input_infos = entry->inputs.data();
    view.constants = entry->constants.data();
    view.num_inputs = static_cast<std::uint32_t>(entry->inputs.size());
    view.num_outputs = static_cast<std::uint32_t>(entry->outputs.size());
    view.output_infos = entry->outputs.data();
    layers_[view.id] = std::move(entry);
  }
  return reader.IsWhole();
}

Status ServedSubgraph::GetLayer(LayerId id, const LayerView** layer) const {
  const auto found = layers_.find(id);
  *layer = found == layers_.end() ? nullptr : &found->second->view;
  return *layer != nullptr ? Status::kSuccess : Status::kNotFound;
}

Status ServedSubgraph::ShareConstant(LayerId layer, std::uint32_t input,
                                     std::shared_ptr<const void>* content) const {
  if (content == nullptr) return Status::kInvalidArgument;
  const auto found = layers_.find(layer);
  if (found == layers_.end()) return Status::kNotFound;
  const Entry& entry = *found->second;
  if (input >= entry.constants.size() || entry.constants[input] == nullptr) {
    return Status::kInvalidArgument;
  }
  *content = entry.shared[input];
  return Status::kSuccess;
}

Status AskingBuilder::Ask(Function function, const Writer& writer, LayerId* id,
                          const std::vector<int>& descriptors) {
  const std::string answer = line_.Ask(function, writer.Get(), descriptors);
  Reader reader(answer);
  const Status status = TakeStatus(reader);
  const auto given = reader.Take<LayerId>();
  if (status == Status::kSuccess && id != nullptr) *id = given;
  return status;
}

Status AskingBuilder::AddLayer(const ReplacementLayer& layer, LayerId* id) {
  Writer writer;
  PutReplacement(writer, layer);
  return Ask(Function::kAddLayer, writer, id);
}

Status AskingBuilder::AddPreCompiledLayer(const ReplacementLayer& layer,
                                          std::shared_ptr<const IPreCompiledObject> object,
                                          LayerId* id) {
  Writer writer;
  writer.Put(object ? keep_(std::move(object)) : std::uint64_t{0});
  PutReplacement(writer, layer);
  return Ask(Function::kAddPreCompiledLayer, writer, id);
}

Status AskingBuilder::AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) {
  if (tensor.data == nullptr && tensor.info.GetSizeBytes() != 0) return Status::kInvalidArgument;
  const std::uint64_t size_bytes = tensor.info.GetSizeBytes();
  Writer writer;
  wire::PutFields(writer, tensor.info);
  writer.PutText(name != nullptr ? name : "");
  if (size_bytes < wire::kLeastSharedConstant) {
    writer.PutBytes(tensor.data, size_bytes);
    return Ask(Function::kAddConstant, writer, id);
  }
  // Bytes in a file of memory have no limit but memory.
  try {
    const auto area = SharedArea::Make(size_bytes);
    std::memcpy(area->GetData(), tensor.data, size_bytes);
    return Ask(Function::kAddConstant, writer, id, {area->GetDescriptor()});
  } catch (const std::exception&) {
    return Status::kOutOfMemory;
  }
}

Status AskingBuilder::ReleaseConstant(LayerId layer, std::uint32_t input) {
  const std::string answer =
      line_.Ask(Function::kReleaseConstant, Writer().Put(layer).Put(input).Get());
  Reader reader(answer);
  return TakeStatus(reader);
}

Status AskingCache::Load(const char* key, std::vector<std::uint8_t>* content) {
  if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
  Writer writer;
  writer.PutText(key);
  const std::string answer = line_.Ask(Function::kLoadCompiled, writer.Get());
  Reader reader(answer);
  const Status status = TakeStatus(reader);
  const std::string_view bytes = reader.TakeText();
  content->assign(bytes.begin(), bytes.end());
  return status;
}

Status AskingCache::Store(const char* key, const void* content, std::uint64_t size_bytes) {
  if (key == nullptr || (content == nullptr && size_bytes != 0)) return Status::kInvalidArgument;
  Writer writer;
  writer.PutText(key).PutBytes(content, size_bytes);
  const std::string answer = line_.Ask(Function::kStoreCompiled, writer.Get());
  Reader reader(answer);
  return TakeStatus(reader);
}

Status AskingRegistry::Ask(Function function, const Writer& writer) {
  const std::string answer = line_.Ask(function, writer.Get());
  Reader reader(answer);
  return TakeStatus(reader);
}

Status AskingRegistry::RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) {
  if (!factory) return Status::kInvalidArgument;
  TensorHandleFactoryProperties properties;
  const Status status = factory->GetProperties(&properties);
  const char* id = factory->GetId();
  Writer writer;
  writer.PutText(id != nullptr ? id : "").Put(status).Put(properties);
  writer.Put(keep_factory_(std::move(factory)));
  return Ask(Function::kRegisterFactory, writer);
}

Status AskingRegistry::RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) {
  if (!memory_manager) return Status::kInvalidArgument;
  Writer writer;
  writer.Put(keep_manager_(std::move(memory_manager)));
  return Ask(Function::kRegisterMemoryManager, writer);
}

}  // namespace backplane::serving
