#include "serving/asking.hpp"

#include <backplane/host/shared_memory.hpp>

#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

namespace backplane::serving {
namespace {

using wire::Function;
using wire::Writer;

messages::LayerSource DescribeLayer(const ReplacementLayer& layer) {
  messages::LayerSource source;
  source.view.layer_type = layer.layer_type;
  source.view.name = layer.name;
  source.view.descriptor = layer.descriptor;
  source.view.inputs = layer.inputs;
  source.view.num_inputs = layer.num_inputs;
  source.view.num_outputs = layer.num_outputs;
  source.view.output_infos = layer.output_infos;
  return source;
}

}  // namespace

Status AskingBuilder::Ask(Function function, const Writer& writer, LayerId* id,
                          const std::vector<int>& descriptors) {
  LayerId given = 0;
  const Status status = line_.Ask(function, writer, descriptors,
                                  [&](wire::Reader& reader) { given = reader.Take<LayerId>(); });
  if (status == Status::kSuccess && id != nullptr) *id = given;
  return status;
}

Status AskingBuilder::AddLayer(const ReplacementLayer& layer, LayerId* id) {
  return Ask(Function::kAddLayer, Writer().Put(DescribeLayer(layer)), id);
}

Status AskingBuilder::AddPreCompiledLayer(const ReplacementLayer& layer,
                                          std::shared_ptr<const IPreCompiledObject> object,
                                          LayerId* id) {
  std::uint64_t number = 0;
  if (object) objects_.Keep(number = next_id_++, std::move(object));
  return Ask(Function::kAddPreCompiledLayer, Writer().Put(number, DescribeLayer(layer)), id);
}

Status AskingBuilder::AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) {
  if (tensor.data == nullptr && tensor.info.GetSizeBytes() != 0) return Status::kInvalidArgument;
  const std::uint64_t size_bytes = tensor.info.GetSizeBytes();
  Writer writer;
  writer.Put(tensor.info).PutText(name != nullptr ? name : "");
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
  return line_.Ask(Function::kReleaseConstant, Writer().Put(layer, input));
}

Status AskingCache::Load(const char* key, std::vector<std::uint8_t>* content) {
  if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
  content->clear();
  return line_.Ask(Function::kLoadCompiled, Writer().PutText(key), {}, [&](wire::Reader& reader) {
    const std::string_view bytes = reader.TakeText();
    content->assign(bytes.begin(), bytes.end());
  });
}

Status AskingCache::Store(const char* key, const void* content, std::uint64_t size_bytes) {
  if (key == nullptr || (content == nullptr && size_bytes != 0)) return Status::kInvalidArgument;
  return line_.Ask(Function::kStoreCompiled, Writer().PutText(key).PutBytes(content, size_bytes));
}

}  // namespace backplane::serving
