#pragma once

/// A sub-graph that the host offers, as the C++ interfaces show it.

#include <backplane/api/c_values.hpp>
#include <backplane/api/over_c/objects.hpp>
#include <backplane/api/subgraph_view.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

// Hidden, so that each file calls its own, however it is linked.
#pragma GCC visibility push(hidden)

namespace backplane::c_form {

class Offer final : public ISubgraphReader, public ISubgraphBuilder, public ICompiledSubgraphCache {
 public:
  Offer(const bp_host* host, const bp_optimize_args& args)
      : host_(host), offer_(args.offer), subgraph_(ToPart(*args.part)) {
    for (std::uint32_t i = 0; i < args.num_layers; ++i) {
      const Entry& entry = layers_.emplace_back(*args.layers[i]);
      by_id_.emplace(entry.view.id, &entry);
    }
  }

  const SubgraphView& GetSubgraph() const { return subgraph_; }

  Status GetLayer(LayerId id, const LayerView** layer) const override {
    if (layer == nullptr) return Status::kInvalidArgument;
    const Entry* const entry = Find(id);
    *layer = entry != nullptr ? &entry->view : nullptr;
    return entry != nullptr ? Status::kSuccess : Status::kNotFound;
  }

  Status ShareConstant(LayerId layer, std::uint32_t input,
                       std::shared_ptr<const void>* content) const override {
    if (content == nullptr) return Status::kInvalidArgument;
    bp_constant_source* source = nullptr;
    const Status found = FindConstant(layer, input, &source);
    if (found != Status::kSuccess) return found;
    auto args = Make<bp_read_args>();
    auto given = Make<bp_content>();
    const bp_status status = host_->read_constant(source, &args, &given, nullptr);
    if (status != BP_STATUS_SUCCESS) return ToStatus(status);
    bp_shared* const shared = given.shared;
    const bp_host* const host = host_;
    *content =
        std::shared_ptr<const void>(given.data, [=](const void*) { host->release_shared(shared); });
    return Status::kSuccess;
  }

  Status AddLayer(const ReplacementLayer& layer, LayerId* id) override {
    return Add(layer, nullptr, id);
  }

  Status AddPreCompiledLayer(const ReplacementLayer& layer,
                             std::shared_ptr<const IPreCompiledObject> object,
                             LayerId* id) override {
    if (!object) return Status::kInvalidArgument;
    auto compiled = std::make_unique<Compiled>();
    compiled->object = std::move(object);
    const Status status = Add(layer, reinterpret_cast<bp_compiled*>(compiled.get()), id);
    if (status == Status::kSuccess) static_cast<void>(compiled.release());
    return status;
  }

  Status AddConstant(const ConstTensor& tensor, const char* name, LayerId* id) override {
    const ConstTensor* const constants[] = {&tensor};
    const TensorInfo* const outputs[] = {&tensor.info};
    const CConstants constant(constants, 1);
    const CInfos infos(outputs, 1);
    auto made = Make<bp_layer>();
    made.type = static_cast<std::uint32_t>(LayerType::kConstant);
    made.name = name;
    made.outputs = infos.Get();
    made.num_outputs = 1;
    made.constants = constant.Get();
    return ToStatus(host_->add_layer(offer_, &made, id, nullptr));
  }

  Status ReleaseConstant(LayerId layer, std::uint32_t input) override {
    bp_constant_source* source = nullptr;
    const Status found = FindConstant(layer, input, &source);
    return found == Status::kSuccess ? ToStatus(host_->release_constant(source, nullptr)) : found;
  }

  Status Load(const char* key, std::vector<std::uint8_t>* content) override {
    if (key == nullptr || content == nullptr) return Status::kInvalidArgument;
    content->clear();
    auto args = Make<bp_cache_args>();
    args.key = key;
    auto given = Make<bp_content>();
    const bp_status status = host_->load_cached(offer_, &args, &given, nullptr);
    if (status != BP_STATUS_SUCCESS) return ToStatus(status);
    const auto* const bytes = static_cast<const std::uint8_t*>(given.data);
    content->assign(bytes, bytes + given.num_bytes);
    return Status::kSuccess;
  }

  Status Store(const char* key, const void* content, std::uint64_t size_bytes) override {
    if (key == nullptr) return Status::kInvalidArgument;
    auto args = Make<bp_cache_args>();
    args.key = key;
    args.content = content;
    args.num_bytes = size_bytes;
    return ToStatus(host_->store_cached(offer_, &args, nullptr));
  }

  /// Tells the host what became of each part.
  bp_status Answer(const OptimizationViews& views, bp_error* error) const {
    for (const SubgraphSubstitution& one : views.substitutions) {
      const bp_status status = Answer(BP_PART_REPLACED, one.original, &one.replacement, error);
      if (status != BP_STATUS_SUCCESS) return status;
    }
    const std::pair<std::uint32_t, const std::vector<SubgraphView>*> rest[] = {
        {BP_PART_FAILED, &views.failed},
        {BP_PART_UNTOUCHED, &views.untouched},
        {BP_PART_DELETED, &views.deleted}};
    for (const auto& parts : rest) {
      for (const SubgraphView& part : *parts.second) {
        const bp_status status = Answer(parts.first, part, nullptr, error);
        if (status != BP_STATUS_SUCCESS) return status;
      }
    }
    return BP_STATUS_SUCCESS;
  }

 private:
  struct Entry {
    explicit Entry(const bp_layer& given)
        : layer(Copy(given)),
          inputs(layer.inputs, layer.num_inputs),
          outputs(layer.outputs, layer.num_outputs),
          constants(layer) {
      view.layer_type = ToEnum<LayerType>(layer.type);
      view.id = layer.id;
      view.name = layer.name;
      view.descriptor = static_cast<const BaseDescriptor*>(layer.descriptor);
      view.inputs = ToSlots(layer.slots);
      view.input_infos = inputs.Get();
      view.constants = constants.Get();
      view.num_inputs = layer.num_inputs;
      view.num_outputs = layer.num_outputs;
      view.output_infos = outputs.Get();
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    bp_layer layer;
    Infos inputs;
    Infos outputs;
    Constants constants;
    LayerView view;
  };

  const Entry* Find(LayerId id) const {
    const auto found = by_id_.find(id);
    return found != by_id_.end() ? found->second : nullptr;
  }

  Status FindConstant(LayerId layer, std::uint32_t input, bp_constant_source** source) const {
    const Entry* const entry = Find(layer);
    if (entry == nullptr) return Status::kNotFound;
    const bool is_constant = input < entry->layer.num_inputs && entry->layer.constants != nullptr &&
                             entry->layer.constants[input] != nullptr;
    if (!is_constant) return Status::kInvalidArgument;
    *source = entry->layer.constants[input]->source;
    return *source != nullptr ? Status::kSuccess : Status::kUnsupported;
  }

  Status Add(const ReplacementLayer& layer, bp_compiled* compiled, LayerId* id) {
    if (id == nullptr) return Status::kInvalidArgument;
    const CInfos outputs(layer.output_infos, layer.num_outputs);
    auto made = Make<bp_layer>();
    const LayerType type = compiled != nullptr ? LayerType::kPreCompiled : layer.layer_type;
    made.type = static_cast<std::uint32_t>(type);
    made.name = layer.name;
    made.descriptor = layer.descriptor;
    made.outputs = outputs.Get();
    made.num_inputs = layer.num_inputs;
    made.num_outputs = layer.num_outputs;
    made.slots = ToC(layer.inputs);
    made.compiled = compiled;
    return ToStatus(host_->add_layer(offer_, &made, id, nullptr));
  }

  bp_status Answer(std::uint32_t kind, const SubgraphView& part, const SubgraphView* replacement,
                   bp_error* error) const {
    const bp_part original = ToC(part);
    const bp_part other = replacement != nullptr ? ToC(*replacement) : bp_part{};
    auto answer = Make<bp_answer>();
    answer.kind = kind;
    answer.part = &original;
    answer.replacement = replacement != nullptr ? &other : nullptr;
    return host_->answer(offer_, &answer, error);
  }

  const bp_host* host_;
  bp_offer* offer_;
  SubgraphView subgraph_;
  std::deque<Entry> layers_;
  std::unordered_map<LayerId, const Entry*> by_id_;
};

}  // namespace backplane::c_form

#pragma GCC visibility pop
