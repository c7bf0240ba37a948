#include "backend/offer.hpp"

#include "backend/given.hpp"

#include <backplane/api/c_values.hpp>

#include <stdexcept>
#include <utility>

namespace backplane::backend {

TableCompiled::~TableCompiled() {
  if (is_owned_ && (*instance_)->free_compiled != nullptr) (*instance_)->free_compiled(compiled_);
}

std::shared_ptr<const IPreCompiledObject> TableCompiled::Resize(const ResizeArgs& args) const {
  if ((*instance_)->resize == nullptr) return nullptr;
  const Scope scope(*instance_, args.logger, args.context, args.model_context, args.options);
  c_form::CConstants constants(args.constants, args.num_constants);
  auto given = c_form::Make<bp_resize_args>();
  given.num_changes = args.num_changes;
  given.scope = scope.Get();
  given.changes = reinterpret_cast<const bp_extent_change*>(args.changes);
  given.readers = c_form::ToC(args.readers);
  given.constants = constants.Get();
  given.num_constants = args.num_constants;
  given.stop = args.stop;
  given.deadline_ns = args.deadline_ns;
  bp_compiled* made = nullptr;
  bp_error error;
  const bp_status status = (*instance_)->resize(compiled_, &given, &made, &error);
  if (status == BP_STATUS_UNSUPPORTED) return nullptr;
  instance_->Require("IPreCompiledObject::Resize", status, error);
  if (made == nullptr) return nullptr;
  // It would be freed twice.
  if (made == compiled_) {
    throw std::invalid_argument("resize gave the object that it was to resize; expected another");
  }
  auto resized = std::make_shared<TableCompiled>(instance_, made);
  resized->Own();
  return resized;
}

std::vector<InPlacePair> TableCompiled::GetInPlacePairs() const {
  if ((*instance_)->in_place == nullptr) return {};
  const Scope scope(*instance_, nullptr, nullptr, nullptr, nullptr);
  const bp_scope_args given = scope.MakeArgs();
  std::vector<InPlacePair> pairs;
  bp_sink sink;
  sink.item = BP_ITEM_IN_PLACE;
  sink.take = [&](const void* item) {
    if (pairs.size() == kMostItems) return Status::kInvalidArgument;
    const auto& pair = *static_cast<const bp_pair*>(item);
    pairs.push_back({pair.input, pair.output});
    return Status::kSuccess;
  };
  bp_error error;
  const bp_status status = (*instance_)->in_place(compiled_, &given, &sink, &error);
  instance_->Require("IPreCompiledObject::GetInPlacePairs", status, error);
  return pairs;
}

Offer::Offer(InstanceShare instance, const OptimizeSubgraphArgs& args)
    : instance_(std::move(instance)), args_(args) {
  offer_.args = &args;
  offer_.own = [this](bp_compiled* compiled, const bp_offer::AddCompiled& add) {
    return Own(compiled, add);
  };
  for (const LayerId id : args.subgraph->layers) AddLayer(id);
}

void Offer::AddLayer(LayerId id) {
  const LayerView* view = nullptr;
  if (args_.reader->GetLayer(id, &view) != Status::kSuccess) return;
  ShownLayer& shown = layers_.emplace_back(*view);
  for (std::uint32_t i = 0; i < view->num_inputs; ++i) {
    bp_constant* const constant = shown.constants.Find(i);
    if (constant == nullptr) continue;
    constant->source =
        &offer_.sources.emplace_back(bp_constant_source{&offer_, view->constants[i], id, i});
  }
  offer_.num_entries += 1 + std::uint64_t{view->num_inputs} + view->num_outputs;
  pointers_.push_back(&shown.layer);
}

Status Offer::Own(bp_compiled* compiled, const bp_offer::AddCompiled& add) {
  std::shared_ptr<TableCompiled>& shared = compiled_[compiled];
  if (!shared) shared = std::make_shared<TableCompiled>(instance_, compiled);
  const Status status = add(shared);
  if (status == Status::kSuccess) shared->Own();
  return status;
}

OptimizationViews Offer::Run() {
  const Scope scope(*instance_, args_.logger, args_.context, args_.model_context, args_.options);
  const bp_part part = c_form::ToC(*args_.subgraph);
  auto args = c_form::Make<bp_optimize_args>();
  args.num_layers = static_cast<std::uint32_t>(pointers_.size());
  args.scope = scope.Get();
  args.offer = &offer_;
  args.layers = pointers_.data();
  args.part = &part;
  args.has_cache = args_.cache != nullptr ? 1 : 0;
  args.is_open = args_.is_open ? 1 : 0;
  args.stop = args_.stop;
  args.deadline_ns = args_.deadline_ns;
  bp_error error;
  instance_->Require("IBackendInternal::OptimizeSubgraphView",
                     (*instance_)->optimize(instance_->Get(), &args, &error), error);
  return std::move(offer_.views);
}

}  // namespace backplane::backend
