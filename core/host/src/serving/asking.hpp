#pragma once

/// Builder and cache that a backend gets while it optimises; messages ask the host.

#include "serving/host_line.hpp"
#include "serving/objects.hpp"

#include <backplane/api/i_backend_internal.hpp>
#include <backplane/host/shared_memory.hpp>

#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace backplane::serving {

class AskingBuilder final : public ISubgraphBuilder {
 public:
  using Release = std::function<void(LayerId layer, std::uint32_t input, std::uint64_t area)>;

  /// Compiled objects are kept in `objects`, by numbers from `next_id` on. `release` is told which
  /// constants the backend releases, and which area is read no more; 0: none.
  AskingBuilder(HostLine& line, Objects& objects, std::uint64_t next_id, Release release)
      : line_(line), objects_(objects), next_id_(next_id), release_(std::move(release)) {}

  Status AddLayer(const ReplacementLayer& layer, LayerId* id) override {
    return Ask(wire::Function::kAddLayer, wire::Writer().Put(Describe(layer)), id);
  }

  Status AddPreCompiledLayer(const ReplacementLayer& layer,
                             std::shared_ptr<const IPreCompiledObject> object,
                             LayerId* id) override {
    std::uint64_t number = 0;
    if (object) objects_.Keep(number = next_id_++, std::move(object));
    return Ask(wire::Function::kAddPreCompiledLayer, wire::Writer().Put(number, Describe(layer)),
               id);
  }

  Status AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) override {
    if (tensor.data == nullptr && tensor.info.GetSizeBytes() != 0) return Status::kInvalidArgument;
    const std::uint64_t size_bytes = tensor.info.GetSizeBytes();
    wire::Writer writer;
    writer.Put(tensor.info).PutText(name != nullptr ? name : "");
    if (size_bytes < wire::kLeastSharedConstant) {
      writer.PutBytes(tensor.data, size_bytes);
      return Ask(wire::Function::kAddConstant, writer, id);
    }
    // Bytes in a file of memory have no limit but memory.
    try {
      const auto area = SharedArea::Make(size_bytes);
      std::memcpy(area->GetData(), tensor.data, size_bytes);
      return Ask(wire::Function::kAddConstant, writer, id, {area->GetDescriptor()});
    } catch (const std::exception&) {
      return Status::kOutOfMemory;
    }
  }

  Status ReleaseConstant(LayerId layer, std::uint32_t input) override {
    return line_.Ask(wire::Function::kReleaseConstant, wire::Writer().Put(layer, input), {},
                     [&](wire::Reader& reader) {
                       const auto area = reader.Take<std::uint64_t>();
                       if (reader.IsWhole()) release_(layer, input, area);
                     });
  }

 private:
  static LayerSource Describe(const ReplacementLayer& layer) {
    LayerSource source;
    source.view.layer_type = layer.layer_type;
    source.view.name = layer.name;
    source.view.descriptor = layer.descriptor;
    source.view.inputs = layer.inputs;
    source.view.num_inputs = layer.num_inputs;
    source.view.num_outputs = layer.num_outputs;
    source.view.output_infos = layer.output_infos;
    return source;
  }

  Status Ask(wire::Function function, const wire::Writer& writer, LayerId* id,
             const std::vector<int>& descriptors = {}) {
    LayerId given = 0;
    const Status status = line_.Ask(function, writer, descriptors,
                                    [&](wire::Reader& reader) { given = reader.Take<LayerId>(); });
    if (status == Status::kSuccess && id != nullptr) *id = given;
    return status;
  }

  HostLine& line_;
  Objects& objects_;
  std::uint64_t next_id_;
  Release release_;
};

class AskingCache final : public ICompiledSubgraphCache {
 public:
  explicit AskingCache(HostLine& line) : line_(line) {}

  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
    content->clear();
    return line_.Ask(wire::Function::kLoadCompiled, wire::Writer().PutText(key), {},
                     [&](wire::Reader& reader) {
                       const std::string_view bytes = reader.TakeText();
                       content->assign(bytes.begin(), bytes.end());
                     });
  }

  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    if (key == nullptr || (content == nullptr && size_bytes != 0)) return Status::kInvalidArgument;
    return line_.Ask(wire::Function::kStoreCompiled,
                     wire::Writer().PutText(key).PutBytes(content, size_bytes));
  }

 private:
  HostLine& line_;
};

}  // namespace backplane::serving
