#include "isolation/isolated_workload.hpp"

#include "isolation/isolated_contexts.hpp"
#include "isolation/isolated_state.hpp"
#include "isolation/shared_constants.hpp"

#include <utility>

namespace backplane::isolation {
namespace {

using wire::Function;
using wire::Writer;

std::vector<std::string> CopyTexts(const char* const* texts, std::uint32_t count) {
  std::vector<std::string> copies(count);
  for (std::uint32_t i = 0; texts != nullptr && i < count; ++i) {
    if (texts[i] != nullptr) copies[i] = texts[i];
  }
  return copies;
}

}  // namespace

std::shared_ptr<const IPreCompiledObject> IsolatedPreCompiledObject::Resize(
    const ResizeArgs& args) const {
  const SharedConstants constants =
      ShareConstants({args.constants, args.constants + args.num_constants});
  auto object = MakeRemote(
      object_->ShareWorker(), Function::kResizeCompiled,
      [&](Writer& writer) {
        writer.Put(object_->GetId()).Put(GetNumber(FindObject(args.model_context)));
        PutCallParts(writer, args.context, args.options);
        wire::PutFields(writer,
                        std::vector<ExtentChange>(args.changes, args.changes + args.num_changes));
        wire::PutFields(writer,
                        std::vector<OutputSlot>(args.readers, args.readers + args.num_constants));
        for (const auto& place : constants.places) wire::PutFields(writer, *place);
      },
      constants.areas);
  if (!object) return nullptr;
  // It may have been made of all of them.
  Worker::Areas areas = constants_;
  areas.insert(areas.end(), constants.areas.begin(), constants.areas.end());
  return std::make_shared<IsolatedPreCompiledObject>(std::move(object), std::move(areas));
}

Status IsolatedWorkload::Execute(const ExecuteArgs& args) const {
  if (args.GetState() == nullptr) return Status::kInvalidArgument;
  return static_cast<IsolatedState*>(args.GetState())->Execute(*workload_, args);
}

std::unique_ptr<IWorkload> IsolatedWorkloadFactory::CreateWorkload(const WorkloadArgs& args) {
  const std::shared_ptr<Worker>& worker = object_->ShareWorker();
  const auto input_factories = CopyTexts(args.input_factories, args.num_inputs);
  const auto output_factories = CopyTexts(args.output_factories, args.num_outputs);
  SharedConstants constants;
  if (args.constants != nullptr) {
    constants = ShareConstants({args.constants, args.constants + args.num_inputs});
  } else {
    constants.places.resize(args.num_inputs);
  }
  messages::LayerSource layer;
  layer.type = args.layer_type;
  layer.name = args.layer_name;
  layer.descriptor = args.descriptor;
  layer.inputs = args.inputs;
  layer.num_inputs = args.num_inputs;
  layer.num_outputs = args.num_outputs;
  layer.outputs = args.outputs;
  layer.constants = &constants.places;
  std::uint64_t compiled_id = 0;
  if (args.pre_compiled) {
    const auto& compiled =
        static_cast<const IsolatedPreCompiledObject&>(*args.pre_compiled).GetObject();
    if (&compiled.GetWorker() != worker.get()) {
      throw DiagnosticException(compiled.GetWorker().GetDeath());
    }
    compiled_id = compiled.GetId();
  }
  auto object = MakeRemote(
      worker, Function::kCreateWorkload,
      [&](Writer& writer) {
        writer.Put(object_->GetId()).Put(compiled_id);
        messages::Put(writer, layer);
        wire::PutFields(writer, input_factories);
        wire::PutFields(writer, output_factories);
      },
      constants.areas);
  if (!object) return nullptr;
  auto workload = std::make_shared<RemoteWorkload>();
  workload->id = object->GetId();
  workload->num_inputs = args.num_inputs;
  workload->num_outputs = args.num_outputs;
  workload->constants = std::move(constants.places);
  workload->constants_areas = std::move(constants.areas);
  workload->name = "layer \"" + std::string(args.layer_name) + "\"";
  for (const std::string& factory : input_factories) {
    workload->is_own.push_back(worker->GetObjects().IsOwnFactory(factory) ? 1 : 0);
  }
  for (const std::string& factory : output_factories) {
    workload->is_own.push_back(worker->GetObjects().IsOwnFactory(factory) ? 1 : 0);
  }
  auto made = std::make_unique<IsolatedWorkload>(std::move(object), workload);
  workload->self = made.get();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    workload->number = static_cast<std::uint32_t>(workloads_.size());
    workloads_.push_back(workload);
  }
  return made;
}

std::uint64_t IsolatedWorkloadFactory::GetConstantBytes() const {
  Worker& worker = object_->GetWorker();
  const auto reply = worker.Call(Function::kGetConstantBytes, Writer().Put(object_->GetId()));
  const auto bytes = reply->reader.Take<std::uint64_t>();
  worker.CheckWhole(*reply);
  return bytes;
}

std::unique_ptr<IExecutionState> IsolatedWorkloadFactory::CreateExecutionState() {
  std::vector<std::shared_ptr<const RemoteWorkload>> workloads;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& workload : workloads_) workloads.push_back(workload.lock());
  }
  return std::make_unique<IsolatedState>(*object_, std::move(workloads));
}

}  // namespace backplane::isolation
