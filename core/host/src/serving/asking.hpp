#pragma once

/// What the host offers a backend during a call, asked by messages.

#include "messages/api_values.hpp"
#include "serving/host_line.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace backplane::serving {

/// The layers of an offered sub-graph.
class ServedSubgraph final : public ISubgraphReader {
 public:
  /// `find_constant` gives a constant, which stays as long as it is held; null: there is none.
  using FindConstant = std::function<std::shared_ptr<const void>(const messages::ConstantPlace&)>;
  /// Errors: false when what is read is not whole.
  bool Read(wire::Reader& reader, const FindConstant& find_constant);

  Status GetLayer(LayerId id, const LayerView** layer) const override;
  Status ShareConstant(LayerId layer, std::uint32_t input,
                       std::shared_ptr<const void>* content) const override;

 private:
  struct Entry {
    messages::LayerRecord record;
    std::vector<const TensorInfo*> inputs;
    std::vector<const TensorInfo*> outputs;
    std::vector<std::shared_ptr<const void>> shared;  // the data of each content
    std::vector<ConstTensor> contents;
    std::vector<const ConstTensor*> constants;
    LayerView view;
  };
  std::map<LayerId, std::unique_ptr<Entry>> layers_;
};

/// Where an object that the backend made gets its number, and stays; returns the number.
template <typename Interface>
using KeepObject = std::function<std::uint64_t(Interface)>;

class AskingBuilder final : public ISubgraphBuilder {
 public:
  AskingBuilder(HostLine& line, KeepObject<std::shared_ptr<const IPreCompiledObject>> keep)
      : line_(line), keep_(std::move(keep)) {}

  Status AddLayer(const ReplacementLayer& layer, LayerId* id) override;
  Status AddPreCompiledLayer(const ReplacementLayer& layer,
                             std::shared_ptr<const IPreCompiledObject> object,
                             LayerId* id) override;
  Status AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) override;
  Status ReleaseConstant(LayerId layer, std::uint32_t input) override;

 private:
  Status Ask(wire::Function function, const wire::Writer& writer, LayerId* id,
             const std::vector<int>& descriptors = {});

  HostLine& line_;
  KeepObject<std::shared_ptr<const IPreCompiledObject>> keep_;
};

class AskingCache final : public ICompiledSubgraphCache {
 public:
  explicit AskingCache(HostLine& line) : line_(line) {}
  Status Load(const char* key, std::vector<std::uint8_t>* content) override;
  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override;

 private:
  HostLine& line_;
};

class AskingRegistry final : public TensorHandleFactoryRegistry {
 public:
  AskingRegistry(HostLine& line, KeepObject<std::unique_ptr<ITensorHandleFactory>> keep_factory,
                 KeepObject<std::shared_ptr<IMemoryManager>> keep_manager)
      : line_(line),
        keep_factory_(std::move(keep_factory)),
        keep_manager_(std::move(keep_manager)) {}

  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> factory) override;
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> memory_manager) override;

 private:
  Status Ask(wire::Function function, const wire::Writer& writer);

  HostLine& line_;
  KeepObject<std::unique_ptr<ITensorHandleFactory>> keep_factory_;
  KeepObject<std::shared_ptr<IMemoryManager>> keep_manager_;
};

}  // namespace backplane::serving
