#pragma once

#include <backplane/api/i_backend_internal.hpp>

#include <memory>
#include <utility>

namespace backplane::test {

/// Offers one layer for compiling, and keeps what a backend compiles.
class CompiledKeeper final : public ISubgraphReader, public ISubgraphBuilder {
 public:
  explicit CompiledKeeper(const TensorInfo& tensor) : outputs_{&tensor} {
    layer_.output_infos = outputs_;
    layer_.num_outputs = 1;
  }

  Status GetLayer(LayerId id, const LayerView** layer) const override {
    layer_.id = id;
    *layer = &layer_;
    return Status::kSuccess;
  }
  Status AddLayer(const ReplacementLayer& /*layer*/, LayerId* /*id*/) override {
    return Status::kUnsupported;
  }
  Status AddPreCompiledLayer(const ReplacementLayer& /*layer*/,
                             std::shared_ptr<const IPreCompiledObject> object,
                             LayerId* id) override {
    compiled = std::move(object);
    *id = 2;
    return Status::kSuccess;
  }
  Status AddConstant(const ConstTensor& /*tensor*/, const char* /*name*/,
                     LayerId* /*id*/) override {
    return Status::kUnsupported;
  }

  std::shared_ptr<const IPreCompiledObject> compiled;

 private:
  const TensorInfo* outputs_[1];
  mutable LayerView layer_;
};

}  // namespace backplane::test
