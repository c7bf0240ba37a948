#include "isolation/isolated_workload.hpp"

#include "isolation/isolated_state.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;

std::vector<std::string> CopyTexts(const char* const* texts, std::uint32_t count) {
  std::vector<std::string> copies(count);
  for (std::uint32_t i = 0; texts != nullptr && i < count; ++i) {
    if (texts[i] != nullptr) copies[i] = texts[i];
  }
  return copies;
}

std::uint64_t Align(std::uint64_t bytes) {
  constexpr std::uint64_t kAlignmentBytes = 64;
  return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

class IsolatedWorkload final : public IWorkload {
 public:
  IsolatedWorkload(std::shared_ptr<Worker> worker, std::shared_ptr<const RemoteWorkload> workload)
      : object_(std::move(worker), workload->id), workload_(std::move(workload)) {}

  Status Execute(const ExecuteArgs& args) const override {
    if (args.GetState() == nullptr) return Status::kInvalidArgument;
    return static_cast<IsolatedState*>(args.GetState())->Execute(*workload_, args);
  }

 private:
  RemoteObject object_;
  std::shared_ptr<const RemoteWorkload> workload_;
};

}  // namespace

SharedConstants ShareConstants(const std::vector<const ConstTensor*>& constants) {
  // An area stays until nobody reads anything of it, but each takes a descriptor.
  std::uint64_t area_bytes = std::uint64_t{16} << 20U;
  std::uint64_t left_bytes = 0;  // of constants that may still have to be copied
  for (const ConstTensor* const constant : constants) {
    if (constant != nullptr) left_bytes += Align(constant->info.GetSizeBytes());
  }
  SharedPlace next;
  const auto copy = [&](const void* data, std::uint64_t bytes) {
    WorkLimitScope::RequireTime();
    if (!next.area || bytes > next.area->GetSizeBytes() - next.offset_bytes) {
      next = {SharedArea::Make(std::max(bytes, std::min(area_bytes, left_bytes))), 0};
      next.area->ForbidWritingByOthers();
      area_bytes += area_bytes / 32;
    }
    std::memcpy(next.area->GetData() + next.offset_bytes, data, bytes);
    const SharedPlace made = next;
    next.offset_bytes += Align(bytes);
    return made;
  };
  SharedConstants shared;
  // A constant that several layers read is copied once.
  std::map<std::pair<const void*, std::uint64_t>, SharedPlace> copies;
  for (const ConstTensor* const constant : constants) {
    auto& area = shared.areas.emplace_back();
    auto& place = shared.places.emplace_back();
    if (constant == nullptr) continue;
    place = serving::ConstantPlace{
        constant->info, 0, 0, {constant->identity[0], constant->identity[1]}};
    const std::uint64_t bytes = constant->info.GetSizeBytes();
    if (bytes == 0) continue;
    auto found = FindSharedPlace(constant->data, bytes);
    if (!found) {
      const auto [known, is_new] = copies.try_emplace({constant->data, bytes});
      if (is_new) known->second = copy(constant->data, bytes);
      found = known->second;
    }
    left_bytes -= Align(bytes);
    place->area = found->area->GetId();
    place->offset_bytes = found->offset_bytes;
    area = std::move(found->area);
  }
  return shared;
}

std::shared_ptr<const IPreCompiledObject> IsolatedPreCompiledObject::Resize(
    const ResizeArgs& args) const {
  SharedConstants constants = ShareConstants({args.constants, args.constants + args.num_constants});
  const std::uint64_t id = AskForObject(
      object_.GetWorker(), Function::kResizeCompiled, constants.areas, object_.GetNumber(),
      CallObjects(args.context, args.model_context).Describe(args.options),
      std::vector<ExtentChange>(args.changes, args.changes + args.num_changes),
      std::vector<OutputSlot>(args.readers, args.readers + args.num_constants), constants.places,
      args.deadline_ns);
  if (id == 0) return nullptr;
  // It may have been made of all of them.
  const auto all = std::make_shared<std::pair<std::shared_ptr<const void>, Worker::Areas>>(
      constants_, std::move(constants.areas));
  return std::make_shared<IsolatedPreCompiledObject>(object_.ShareWorker(), id, all);
}

std::unique_ptr<IWorkload> IsolatedWorkloadFactory::CreateWorkload(const WorkloadArgs& args) {
  const std::shared_ptr<Worker>& worker = object_.ShareWorker();
  std::vector<const ConstTensor*> contents(args.num_inputs);
  if (args.constants != nullptr) std::copy_n(args.constants, args.num_inputs, contents.begin());
  SharedConstants constants = ShareConstants(contents);
  std::uint64_t compiled_id = 0;
  if (args.pre_compiled) {
    const auto& compiled =
        static_cast<const IsolatedPreCompiledObject&>(*args.pre_compiled).GetObject();
    if (&compiled.GetWorker() != worker.get()) {
      throw DiagnosticException(compiled.GetWorker().GetDeath());
    }
    compiled_id = compiled.GetNumber();
  }
  const serving::LayerSource layer{serving::ShowLayer(args), constants.places.data()};
  const auto input_factories = CopyTexts(args.input_factories, args.num_inputs);
  const auto output_factories = CopyTexts(args.output_factories, args.num_outputs);
  auto workload = std::make_shared<RemoteWorkload>();
  workload->id =
      AskForObject(*worker, Function::kCreateWorkload, constants.areas, object_.GetNumber(),
                   compiled_id, layer, input_factories, output_factories);
  if (workload->id == 0) return nullptr;
  auto made = std::make_unique<IsolatedWorkload>(worker, workload);
  workload->self = made.get();
  workload->num_inputs = args.num_inputs;
  workload->num_outputs = args.num_outputs;
  workload->constants = std::move(constants);
  workload->name = "layer \"" + std::string(args.layer_name) + "\"";
  for (const auto* const factories : {&input_factories, &output_factories}) {
    for (const std::string& factory : *factories) {
      workload->is_own.push_back(worker->GetObjects().factory_ids.Has(factory) ? 1 : 0);
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  workload->number = static_cast<std::uint32_t>(workloads_.size());
  workloads_.push_back(workload);
  return made;
}

std::unique_ptr<IExecutionState> IsolatedWorkloadFactory::CreateExecutionState() {
  std::vector<std::shared_ptr<const RemoteWorkload>> workloads;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& workload : workloads_) workloads.push_back(workload.lock());
  }
  return std::make_unique<IsolatedState>(object_, workloads);
}

}  // namespace backplane::isolation
