#pragma once

/// What the host offers a backend that optimises, asked by messages.

#include "serving/host_line.hpp"
#include "serving/objects.hpp"

#include <backplane/api/i_backend_internal.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace backplane::serving {

class AskingBuilder final : public ISubgraphBuilder {
 public:
  /// What the backend compiles is kept in `objects`, by numbers from `next_id` on.
  AskingBuilder(HostLine& line, Objects& objects, std::uint64_t next_id)
      : line_(line), objects_(objects), next_id_(next_id) {}

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
  Objects& objects_;
  std::uint64_t next_id_;
};

class AskingCache final : public ICompiledSubgraphCache {
 public:
  explicit AskingCache(HostLine& line) : line_(line) {}
  Status Load(const char* key, std::vector<std::uint8_t>* content) override;
  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override;

 private:
  HostLine& line_;
};

}  // namespace backplane::serving
