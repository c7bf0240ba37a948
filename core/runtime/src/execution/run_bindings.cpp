#include "execution/run_bindings.hpp"

#include "execution/binding_failures.hpp"
#include "tensors/foreign_tensor_handle.hpp"

#include <algorithm>
#include <utility>

namespace backplane {
namespace {

// Most applications give tensors in the order of their ids. Each id is given once.
template <typename Tensors>
auto FindGiven(const Tensors& tensors, LayerBindingId id) {
  if (tensors[id].id == id) return tensors.begin() + id;
  return std::find_if(tensors.begin(), tensors.end(),
                      [&](const auto& tensor) { return tensor.id == id; });
}

}  // namespace

RunBindings::RunBindings(const ExecutionPlan& plan, WorkingMemory& memory,
                         ImportedTensors& imported, const InputTensors& inputs,
                         const OutputTensors& outputs)
    : plan_(plan),
      memory_(memory),
      imported_(imported),
      counters_(memory.GetCounters()),
      inputs_(inputs),
      outputs_(outputs) {}

RunBindings::~RunBindings() {
  for (const InputTensor& input : inputs_) memory_.GetInputs()[input.id].Release();
  for (const OutputTensor& output : outputs_) memory_.GetOutputs()[output.id].Release();
  GiveBack(inputs_, plan_.inputs, memory_.GetInputs(), num_inputs_taken_);
  GiveBack(outputs_, plan_.outputs, memory_.GetOutputs(), num_outputs_taken_);
}

Status RunBindings::Begin(MemoryProtection protection, RunScope& scope,
                          std::optional<Diagnostic>* failure) {
  Status status = TakeAllImported(failure);
  if (status == Status::kSuccess) FindOverlaps();
  for (const InputTensor& input : inputs_) {
    scope.EnterBinding(input.id);
    if (status == Status::kSuccess) status = BeginInput(input, protection, failure);
  }
  for (const OutputTensor& output : outputs_) {
    scope.EnterBinding(plan_.inputs.size() + output.id);
    if (status == Status::kSuccess) status = BeginOutput(output, protection, failure);
  }
  scope.LeaveBindings();
  return status;
}

Status RunBindings::End(RunScope& scope, std::optional<Diagnostic>* failure) {
  is_copying_out_ = true;
  for (const OutputTensor& output : outputs_) {
    BoundMemory& bound = memory_.GetOutputs()[output.id];
    if (output.imported != kNotImported || bound.IsImported() || output.size_bytes == 0) continue;
    scope.EnterBinding(plan_.inputs.size() + output.id);
    const Status status = bound.CopyOut(output.data);
    if (status == Status::kSuccess) continue;
    const CopyReason reason = counters_.outputs[output.id].GetReason();
    return TellNotCopied(BindingKind::kOutput, output.id, reason, bound, status, failure);
  }
  return Status::kSuccess;
}

bool RunBindings::AreInputsKept() const {
  for (const OutputTensor& output : outputs_) {
    if (IsInPlace(output)) return false;
  }
  const std::uint8_t written = is_copying_out_ ? RangeUse::kTakenOutput | RangeUse::kGivenOutput
                                               : ToSet(RangeUse::kTakenOutput);
  return std::none_of(inputs_.begin(), inputs_.end(), [&](const InputTensor& input) {
    return (memory_.GetOverlaps().GetMetByInput(input.id) & written) != 0;
  });
}

// Before anything else is begun: what is given is compared with them.
Status RunBindings::TakeAllImported(std::optional<Diagnostic>* failure) {
  for (const InputTensor& input : inputs_) {
    const Status status = TakeImported(BindingKind::kInput, input, failure);
    if (status != Status::kSuccess) return status;
    ++num_inputs_taken_;
  }
  for (const OutputTensor& output : outputs_) {
    const Status status = TakeImported(BindingKind::kOutput, output, failure);
    if (status != Status::kSuccess) return status;
    ++num_outputs_taken_;
  }
  return Status::kSuccess;
}

void RunBindings::FindOverlaps() {
  AddOverlaps();
  const bool is_alone = std::all_of(outputs_.begin(), outputs_.end(), [&](const auto& output) {
    return !IsInPlace(output) || memory_.GetOverlaps().GetMetByOutput(output.id) == 0;
  });
  if (is_alone) return;
  may_be_in_place_ = false;
  AddOverlaps();
}

// An output in the memory of its input stands for both, and is written while the run goes on.
void RunBindings::AddOverlaps() {
  OverlapFinder& overlaps = memory_.GetOverlaps();
  overlaps.Clear();
  for (const InputTensor& input : inputs_) {
    if (IsInPlace(input)) continue;
    const bool is_given = input.imported == kNotImported;
    overlaps.Add(GetRange(input), is_given ? RangeUse::kGivenInput : RangeUse::kTakenInput,
                 input.id);
  }
  for (const OutputTensor& output : outputs_) {
    const bool is_given = output.imported == kNotImported && !IsInPlace(output);
    overlaps.Add(GetRange(output), is_given ? RangeUse::kGivenOutput : RangeUse::kTakenOutput,
                 output.id);
  }
  overlaps.Find();
}

bool RunBindings::IsInPlace(const InputTensor& input) const {
  const std::uint32_t output = plan_.inputs[input.id].in_place_with;
  return output != kNoBinding && IsInPlace(*FindGiven(outputs_, output));
}

bool RunBindings::IsInPlace(const OutputTensor& output) const {
  const std::uint32_t index = plan_.outputs[output.id].in_place_with;
  if (!may_be_in_place_ || index == kNoBinding) return false;
  const InputTensor& input = *FindGiven(inputs_, index);
  const bool are_given = output.imported == kNotImported && input.imported == kNotImported;
  const bool may_be_used = output.use != MemoryUse::kCopy && input.use != MemoryUse::kCopy;
  return are_given && may_be_used && output.size_bytes != 0 && output.data == input.tensor.data;
}

MemoryRange RunBindings::GetRange(const InputTensor& input) const {
  const BoundMemory& bound = memory_.GetInputs()[input.id];
  if (input.imported != kNotImported) return bound.GetTaken();
  return MakeRange(input.tensor.data, bound.GetSizeBytes());
}

MemoryRange RunBindings::GetRange(const OutputTensor& output) const {
  if (output.imported != kNotImported) return memory_.GetOutputs()[output.id].GetTaken();
  return MakeRange(output.data, output.size_bytes);
}

// Outputs that are given and overlap it are copied when the run has ended. Of an input that is an
// output too, this may be too early.
bool RunBindings::IsOverwritten(const InputTensor& input) const {
  const std::uint8_t met = memory_.GetOverlaps().GetMetByInput(input.id);
  const bool is_given = input.imported == kNotImported;
  if (is_given && (met & ToSet(RangeUse::kTakenOutput)) != 0) return true;
  return plan_.inputs[input.id].is_read_at_end && (met & ToSet(RangeUse::kGivenOutput)) != 0;
}

Status RunBindings::RefuseOverlap(BindingKind kind, LayerBindingId id, const MemoryRange& range,
                                  std::optional<Diagnostic>* failure) const {
  std::string other;
  for (const InputTensor& input : inputs_) {
    // Inputs that overlap each other are only read.
    if (kind == BindingKind::kInput || !Overlap(range, GetRange(input))) continue;
    other = NameBinding(BindingKind::kInput, input.id);
  }
  for (const OutputTensor& output : outputs_) {
    const bool is_itself = kind == BindingKind::kOutput && output.id == id;
    if (!is_itself && Overlap(range, GetRange(output))) {
      other = NameBinding(BindingKind::kOutput, output.id);
    }
  }
  Tell(failure, DescribeOverlap(kind, id, other));
  return Status::kInvalidArgument;
}

template <typename Tensor>
Status RunBindings::TakeImported(BindingKind kind, const Tensor& tensor,
                                 std::optional<Diagnostic>* failure) {
  if (tensor.imported == kNotImported) return Status::kSuccess;
  const ImportedTensor* taken = nullptr;
  try {
    taken = imported_.Take(tensor.imported, kind, tensor.id);
  } catch (const DiagnosticException& exception) {
    const DiagnosticCode code = exception.GetDiagnostic().code;
    const bool is_refused =
        code == DiagnosticCode::kImportRefused || code == DiagnosticCode::kMemoryCannotCross;
    if (!is_refused) throw;
    Tell(failure, exception.GetDiagnostic());
    return Status::kInvalidArgument;
  }
  if (taken == nullptr) {
    Tell(failure, DescribeUnknownImported(kind, tensor.id, tensor.imported));
    return Status::kNotFound;
  }
  const bool is_input = kind == BindingKind::kInput;
  memory_.UseHandles((is_input ? plan_.inputs : plan_.outputs)[tensor.id], &taken->handles);
  (is_input ? memory_.GetInputs() : memory_.GetOutputs())[tensor.id].SetTaken(taken->range);
  return Status::kSuccess;
}

template <typename Tensors>
void RunBindings::GiveBack(const Tensors& tensors, const std::vector<PlannedBinding>& bindings,
                           std::vector<BoundMemory>& bound, std::size_t num_taken) {
  for (std::size_t i = 0; i < num_taken; ++i) {
    if (tensors[i].imported == kNotImported) continue;
    memory_.UseHandles(bindings[tensors[i].id], nullptr);
    bound[tensors[i].id].SetTaken({});
    imported_.GiveBack(tensors[i].imported);
  }
}

template <typename Tensor>
CopyReason RunBindings::TryImport(const Tensor& tensor, BoundMemory& bound, void* data) const {
  if (tensor.use == MemoryUse::kCopy) return CopyReason::kAsked;
  const CopyReason reason = bound.CheckAddress(data);
  if (reason != CopyReason::kNone) return reason;
  return bound.Import(data) ? CopyReason::kNone : CopyReason::kImportRefused;
}

// Nobody writes through the pointer: handles are told that the memory is read.
Status RunBindings::BeginInput(const InputTensor& input, MemoryProtection protection,
                               std::optional<Diagnostic>* failure) {
  BindingCounter& counter = counters_.inputs[input.id];
  const bool is_overwritten = IsOverwritten(input);
  if (is_overwritten && (input.imported != kNotImported || input.use == MemoryUse::kImport)) {
    return RefuseOverlap(BindingKind::kInput, input.id, GetRange(input), failure);
  }
  if (input.imported != kNotImported) {
    counter.CountImport();
    return Status::kSuccess;
  }
  if (protection == MemoryProtection::kProtected) {
    Tell(failure, DescribeProtected(BindingKind::kInput, input.id));
    return Status::kUnsupported;
  }
  BoundMemory& bound = memory_.GetInputs()[input.id];
  if (bound.GetSizeBytes() == 0) return Status::kSuccess;
  const CopyReason reason = is_overwritten
                                ? CopyReason::kOverlapping
                                : TryImport(input, bound, const_cast<void*>(input.tensor.data));
  if (reason == CopyReason::kNone) {
    counter.CountImport();
    return Status::kSuccess;
  }
  if (input.use == MemoryUse::kImport) {
    Tell(failure, DescribeRefused(BindingKind::kInput, input.id, reason));
    return Status::kInvalidArgument;
  }
  counter.CountCopy(bound.GetSizeBytes(), reason);
  const Status status = bound.CopyIn(input.tensor.data);
  if (status == Status::kSuccess) return status;
  return TellNotCopied(BindingKind::kInput, input.id, reason, bound, status, failure);
}

Status RunBindings::BeginOutput(const OutputTensor& output, MemoryProtection protection,
                                std::optional<Diagnostic>* failure) {
  if (output.imported != kNotImported) return BeginImportedOutput(output, failure);
  if (protection == MemoryProtection::kProtected) {
    Tell(failure, DescribeProtected(BindingKind::kOutput, output.id));
    return Status::kUnsupported;
  }
  BoundMemory& bound = memory_.GetOutputs()[output.id];
  if (output.size_bytes == 0) return Status::kSuccess;
  const bool is_overlapping = memory_.GetOverlaps().GetMetByOutput(output.id) != 0;
  if (is_overlapping && output.use == MemoryUse::kImport) {
    return RefuseOverlap(BindingKind::kOutput, output.id, GetRange(output), failure);
  }
  const CopyReason reason =
      is_overlapping ? CopyReason::kOverlapping : TryImport(output, bound, output.data);
  if (reason == CopyReason::kNone) {
    counters_.outputs[output.id].CountImport();
    return Status::kSuccess;
  }
  if (output.use == MemoryUse::kImport) {
    Tell(failure, DescribeRefused(BindingKind::kOutput, output.id, reason));
    return Status::kInvalidArgument;
  }
  counters_.outputs[output.id].CountCopy(output.size_bytes, reason);
  bound.PrepareCopyOut();
  return Status::kSuccess;
}

// There is no copying where the application said so before: memory that others read is refused.
Status RunBindings::BeginImportedOutput(const OutputTensor& output,
                                        std::optional<Diagnostic>* failure) {
  constexpr std::uint8_t kTaken = RangeUse::kTakenInput | RangeUse::kTakenOutput;
  const std::uint8_t harmful =
      plan_.outputs[output.id].is_read_at_end ? kTaken | ToSet(RangeUse::kGivenOutput) : kTaken;
  if ((memory_.GetOverlaps().GetMetByOutput(output.id) & harmful) != 0) {
    return RefuseOverlap(BindingKind::kOutput, output.id, GetRange(output), failure);
  }
  counters_.outputs[output.id].CountImport();
  return Status::kSuccess;
}

Status RunBindings::TellNotCopied(BindingKind kind, LayerBindingId id, CopyReason reason,
                                  BoundMemory& bound, Status status,
                                  std::optional<Diagnostic>* failure) {
  failed_backend_ = FindOwner(bound.GetHandle());
  Tell(failure, DescribeNotCopied(kind, id, reason, bound.GetHandle(), status));
  return status;
}

void RunBindings::Tell(std::optional<Diagnostic>* failure, Diagnostic diagnostic) const {
  if (failure == nullptr) return;
  diagnostic.subject = {SubjectKind::kNetwork, imported_.GetNetworkName()};
  *failure = std::move(diagnostic);
}

}  // namespace backplane
