#include "isolation/answering.hpp"

#include "isolation/isolated_workload.hpp"

#include <backplane/host/shared_memory.hpp>

#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Reader;
using wire::Writer;

/// Where a layer is asked for, it is none.
Writer AnswerStatus(Status status) {
  return Writer().Put(status, LayerId{0});
}

// Calls `add` with the layer, as the builder wants it.
template <typename Add>
Writer AddReplacement(Reader& reader, const Add& add) {
  const auto record = reader.Take<serving::LayerRecord>();
  if (!reader.IsWhole()) return AnswerStatus(Status::kInvalidArgument);
  const LayerView view = record.Show();
  ReplacementLayer layer;
  layer.layer_type = view.layer_type;
  layer.name = view.name;
  layer.descriptor = record.descriptor.IsEmpty() ? nullptr : view.descriptor;
  layer.inputs = view.inputs;
  layer.output_infos = view.output_infos;
  layer.num_inputs = static_cast<std::uint32_t>(record.slots.size());
  layer.num_outputs = view.num_outputs;
  LayerId id = 0;
  const Status status = add(layer, &id);
  return Writer().Put(status, id);
}

struct SubgraphAnswers {
  std::string operator()(const wire::Message& question) { return Answer(question).Get(); }

  Writer Answer(const wire::Message& question) {
    Reader reader(question.body);
    switch (question.function) {
      case Function::kAddLayer:
        return AddReplacement(reader, [&](const ReplacementLayer& layer, LayerId* id) {
          return builder.AddLayer(layer, id);
        });
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

  Writer AddPreCompiledLayer(Reader& reader) {
    const auto number = reader.Take<std::uint64_t>();
    std::shared_ptr<IsolatedPreCompiledObject> object;
    if (number != 0) {
      if (!numbers.Take(number)) return AnswerStatus(Status::kInvalidArgument);
      object = std::make_shared<IsolatedPreCompiledObject>(worker, number, constants);
    }
    return AddReplacement(reader, [&](const ReplacementLayer& layer, LayerId* id) {
      return builder.AddPreCompiledLayer(layer, std::move(object), id);
    });
  }

  Writer AddConstant(Reader& reader, const std::vector<wire::FileDescriptor>& descriptors) {
    ConstTensor tensor;
    tensor.info = reader.Take<TensorInfo>();
    const auto name = reader.Take<std::string>();
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
    if (!reader.IsAtEnd() || tensor.data == nullptr) return AnswerStatus(Status::kInvalidArgument);
    LayerId id = 0;
    const Status status = builder.AddConstant(tensor, name.c_str(), &id);
    return Writer().Put(status, id);
  }

  Writer ReleaseConstant(Reader& reader) {
    const auto layer = reader.Take<LayerId>();
    const auto input = reader.Take<std::uint32_t>();
    if (!reader.IsAtEnd()) return AnswerStatus(Status::kInvalidArgument);
    const Status status = builder.ReleaseConstant(layer, input);
    const auto found = constants->find({layer, input});
    if (status != Status::kSuccess || found == constants->end()) return Writer().Put(status);
    const std::uint64_t area = found->second->GetId();
    const std::weak_ptr<SharedArea> rest = found->second;
    constants->erase(found);
    return Writer().Put(status, rest.expired() ? area : 0);
  }

  Writer Load(Reader& reader) {
    const auto key = reader.Take<std::string>();
    if (cache == nullptr || !reader.IsAtEnd()) return AnswerStatus(Status::kNotFound);
    std::vector<std::uint8_t> content;
    const Status status = cache->Load(key.c_str(), &content);
    return Writer().Put(status).PutBytes(content.data(), content.size());
  }

  Writer Store(Reader& reader) {
    const auto key = reader.Take<std::string>();
    const std::string_view content = reader.TakeText();
    if (cache == nullptr || !reader.IsAtEnd()) return AnswerStatus(Status::kUnsupported);
    return AnswerStatus(cache->Store(key.c_str(), content.data(), content.size()));
  }

  std::shared_ptr<Worker> worker;
  std::shared_ptr<InputAreas> constants;
  GivenNumbers numbers;
  ISubgraphBuilder& builder;
  ICompiledSubgraphCache* cache;
};

}  // namespace

Answerer AnswerForSubgraph(std::shared_ptr<Worker> worker, std::shared_ptr<InputAreas> constants,
                           std::uint64_t first_number, ISubgraphBuilder& builder,
                           ICompiledSubgraphCache* cache) {
  return SubgraphAnswers{std::move(worker), std::move(constants), GivenNumbers(first_number),
                         builder, cache};
}

}  // namespace backplane::isolation
