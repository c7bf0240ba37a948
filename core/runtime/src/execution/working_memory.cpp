#include "execution/working_memory.hpp"

#include "execution/handle_set.hpp"
#include "profiling/clock.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/foreign_tensor_handle.hpp"
#include "tensors/status_text.hpp"
#include "tensors/tensor_size.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/api/run_arguments.hpp>

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace backplane {

namespace {

// Stands for the memory of constants without elements, so that no bound tensor has a null address.
alignas(kTensorAlignmentBytes) unsigned char empty_constant[kTensorAlignmentBytes];

// Constants are bound read-only: the view says so, and nobody writes through the pointer.
MemoryBlock MakeConstantBlock(const PlannedTensor& tensor) {
  MemoryBlock block;
  block.data = tensor.constant_data != nullptr ? const_cast<void*>(tensor.constant_data)
                                               : static_cast<void*>(empty_constant);
  block.source = MemorySource::kMalloc;
  block.size_bytes = tensor.info->GetSizeBytes();
  return block;
}

[[noreturn]] void ThrowNotBound(const PlannedTensor& tensor, const KindTable& table,
                                const ITensorHandle& handle, Status status) {
  const std::string kind = tensor.kind == kNoKind ? "constants" : table.kinds[tensor.kind].id;
  Diagnostic diagnostic{DiagnosticCode::kFactoryDisagrees};
  if (const std::string* owner = FindOwner(handle)) {
    diagnostic.subject = {SubjectKind::kBackend, *owner};
  }
  diagnostic.what = "a tensor handle of " + kind + " cannot be bound to its memory";
  diagnostic.why = "Bind of " + DescribeTensor(*tensor.info) + " at offset " +
                   std::to_string(tensor.offset_bytes) + " gave \"" + DescribeStatus(status) +
                   "\"; expected \"" + GetStatusText(Status::kSuccess) +
                   "\" for a place that fits its GetRequirements";
  diagnostic.fix = "report this to the vendor of the backend, or prefer another backend";
  throw DiagnosticException(std::move(diagnostic));
}

}  // namespace

WorkingMemory::WorkingMemory(const WorkingMemorySources& sources)
    : sources_(sources),
      plan_(*sources.plan),
      counters_(sources.ledger->Open(sources.places)),
      marks_(std::max(plan_.inputs.size(), plan_.outputs.size())),
      overlaps_(plan_.inputs.size(), plan_.outputs.size()) {
  AllocateArenas();
  CreateHandles();
  BindHandles();
  CreateStates();
  PrepareArguments();
  if (sources.fences != nullptr && sources.fences->HasFences()) PrepareFences();
  inputs_ = PrepareBindings(plan_.inputs);
  outputs_ = PrepareBindings(plan_.outputs);
}

// The core's is never empty, so that tensors without elements have an address too.
void WorkingMemory::AllocateArenas() {
  for (std::size_t i = 0; i < plan_.arenas.size(); ++i) {
    const PlannedArena& arena = plan_.arenas[i];
    const bool is_needed =
        i == 0 ||
        std::any_of(plan_.tensors.begin(), plan_.tensors.end(), [&](const PlannedTensor& tensor) {
          return tensor.place == TensorPlace::kArena && tensor.arena == i;
        });
    if (!is_needed) {
      arenas_.push_back(nullptr);
      continue;
    }
    arenas_.push_back(sources_.arenas[i]->Allocate(
        std::max(arena.size_bytes, std::uint64_t{kTensorAlignmentBytes}), arena.alignment_bytes));
  }
}

const PluginObject<ITensorHandleFactory>* WorkingMemory::FindFactory(std::uint32_t tensor) const {
  const KindIndex kind = plan_.tensors[tensor].kind;
  return kind == kNoKind ? nullptr : sources_.objects->factories[kind];
}

// Sub-tensors are made from their parents, which can come behind them: the output of a concat.
void WorkingMemory::CreateHandles() {
  std::vector<std::unique_ptr<TensorHandle>> made(plan_.tensors.size());
  std::vector<std::uint32_t> chain;
  for (std::uint32_t tensor = 0; tensor < plan_.tensors.size(); ++tensor) {
    for (std::uint32_t at = tensor; made[at] == nullptr; at = plan_.tensors[at].part->parent) {
      chain.push_back(at);
      if (plan_.tensors[at].place != TensorPlace::kSubTensor) break;
    }
    for (; !chain.empty(); chain.pop_back()) {
      const PlannedTensor& next = plan_.tensors[chain.back()];
      const bool is_sub_tensor = next.place == TensorPlace::kSubTensor;
      made[chain.back()] = std::make_unique<TensorHandle>(
          MakeHandle(next, FindFactory(chain.back()),
                     is_sub_tensor ? made[next.part->parent].get() : nullptr));
    }
  }
  handles_.reserve(made.size());
  for (auto& handle : made) handles_.push_back(std::move(*handle));
}

void WorkingMemory::BindHandles() {
  for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
    const PlannedTensor& tensor = plan_.tensors[i];
    Status status = Status::kSuccess;
    if (tensor.place == TensorPlace::kConstant) {
      status = handles_[i].Bind(MakeConstantBlock(tensor), 0);
    } else if (tensor.place == TensorPlace::kArena) {
      status = handles_[i].Bind(arenas_[tensor.arena]->Get(), tensor.offset_bytes);
    }
    if (status != Status::kSuccess) {
      ThrowNotBound(tensor, *sources_.table, *handles_[i].ForOthers(), status);
    }
  }
}

void WorkingMemory::CreateStates() {
  core_state_.is_imported.resize(plan_.steps.size());
  for (const PluginObject<IWorkloadFactory>& factory : sources_.factories) {
    auto state = factory.Call<&IWorkloadFactory::CreateExecutionState>();
    states_.emplace_back(std::move(state.GetOrThrow()), factory.GetOrigin());
  }
}

// A step of this side gets the handles that this side has; one of a table gets its own alone.
bp_tensor WorkingMemory::MakeTensor(const WorkloadCall& workload, const PlannedOperand& operand,
                                    const TensorHandle& handle) const {
  bp_tensor tensor{};
  tensor.view = ShowView(*handle.ForOthers());
  if (tensor.view == nullptr) {
    const Diagnostic* const thrown = FindThrown(*handle.ForOthers(), Status::kFailure);
    if (thrown != nullptr) throw DiagnosticException(*thrown);
  }
  // What is imported in the run lies nowhere yet.
  const bool is_imported = plan_.tensors[operand.tensor].place == TensorPlace::kImported;
  if (is_imported) tensor.view = &handle.ForOthers()->crossing.shown;
  if (operand.is_for_owner) {
    tensor.handle = handle.GetRaw();
  } else if (workload.IsDirect()) {
    tensor.handle = reinterpret_cast<bp_handle*>(handle.ForOthers());
  }
  return tensor;
}

void WorkingMemory::PrepareArguments() {
  operands_.reserve(plan_.operands.size());
  core_operands_.reserve(plan_.operands.size());
  run_args_.reserve(plan_.steps.size());
  for (std::size_t index = 0; index < plan_.steps.size(); ++index) {
    const PlannedStep& step = plan_.steps[index];
    const WorkloadCall& workload = (*sources_.workloads)[index];
    bp_run_args args = c_form::Make<bp_run_args>();
    args.scope = workload.GetScope();
    args.run = &run_;
    args.num_inputs = step.num_inputs;
    args.num_outputs = step.num_outputs;
    args.inputs = operands_.data() + step.first_operand;
    args.outputs = args.inputs + step.num_inputs;
    args.step = static_cast<std::uint32_t>(index);
    args.state = step.backend == kCoreBackend
                     ? reinterpret_cast<bp_state*>(static_cast<IExecutionState*>(&core_state_))
                     : GetRawState(states_[step.backend].Share().get());
    run_args_.push_back(args);
    for (std::uint32_t i = 0; i < step.num_inputs + step.num_outputs; ++i) {
      const PlannedOperand& operand = plan_.operands[step.first_operand + i];
      const TensorHandle& handle = handles_[operand.tensor];
      operands_.push_back(MakeTensor(workload, operand, handle));
      core_operands_.push_back(handle.ForOthers());
    }
  }
}

void WorkingMemory::BeginRun(const RunLimit* limit) {
  static std::atomic<std::uint64_t> last_number{0};
  run_.number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
  cancellation_ = limit != nullptr ? limit->GetCancellation() : CancellationToken();
  run_.stop = cancellation_.GetStopWord();
  run_.deadline_ns = limit != nullptr ? limit->GetDeadlineNs() : 0;
}

void WorkingMemory::PrepareFences() {
  const FencePlan& plan = *sources_.fences;
  fences_ = PendingFences(plan);
  for (std::size_t step = 0; step < run_args_.size(); ++step) {
    if (plan.completions[step] != StepCompletion::kByFence) continue;
    run_args_[step].waits = reinterpret_cast<const bp_fence*>(fences_.handed_over.data());
    run_args_[step].completion = reinterpret_cast<bp_fence*>(&fences_.completions[step]);
    run_args_[step].completion_kinds = plan.completion_kinds[step];
  }
}

std::vector<BoundMemory> WorkingMemory::PrepareBindings(
    const std::vector<PlannedBinding>& bindings) {
  std::vector<BoundMemory> prepared;
  prepared.reserve(bindings.size());
  for (const PlannedBinding& binding : bindings) {
    std::vector<ITensorHandle*> members;
    std::vector<MemoryView> views;
    for (const BoundMember& member : binding.members) {
      if (member.sub_tensor != nullptr) continue;
      members.push_back(&GetHandle(member.tensor));
      views.push_back(MakeDenseView(*plan_.tensors[member.tensor].info));
      views.back().offset_bytes = member.offset_bytes;
    }
    prepared.emplace_back(binding, GetHandle(binding.tensor), *plan_.tensors[binding.tensor].info,
                          std::move(members), std::move(views));
  }
  return prepared;
}

void WorkingMemory::UseHandles(const PlannedBinding& binding,
                               const std::vector<TensorHandle>* handles) {
  for (std::size_t i = 0; i < binding.members.size(); ++i) {
    const BoundMember& member = binding.members[i];
    const TensorHandle& handle = handles != nullptr ? (*handles)[i] : handles_[member.tensor];
    for (const std::uint32_t operand : member.operands) {
      bp_tensor& tensor = operands_[operand];
      if (tensor.view != nullptr) tensor.view = &handle.ForOthers()->crossing.shown;
      if (tensor.handle != nullptr) {
        tensor.handle = plan_.operands[operand].is_for_owner
                            ? handle.GetRaw()
                            : reinterpret_cast<bp_handle*>(handle.ForOthers());
      }
      core_operands_[operand] = handle.ForOthers();
    }
    for (const std::uint32_t output : member.outputs) {
      outputs_[output].UseHandle(handles != nullptr ? handle.ForOthers() : nullptr);
    }
  }
}

}  // namespace backplane
