#include "execution/run_bindings.hpp"

#include "tensors/foreign_tensor_handle.hpp"

#include <string>
#include <utility>

namespace backplane {

namespace {

std::string NameBinding(BindingKind kind, LayerBindingId id) {
  return (kind == BindingKind::kInput ? "input " : "output ") + std::to_string(id);
}

Diagnostic DescribeUnknownImported(BindingKind kind, LayerBindingId id, ImportedTensorId imported) {
  const std::string name = NameBinding(kind, id);
  Diagnostic diagnostic{DiagnosticCode::kUnknownImportedTensor};
  diagnostic.what =
      "the imported tensor " + std::to_string(imported) + " cannot be used for " + name;
  diagnostic.why =
      "found one that was released, is used by another run, or was imported for another binding; "
      "expected one that ImportTensor gave for " +
      name;
  diagnostic.fix = "import memory for this binding, and use each in one run at a time";
  return diagnostic;
}

Diagnostic DescribeRefused(BindingKind kind, LayerBindingId id, CopyReason reason) {
  const std::string name = NameBinding(kind, id);
  Diagnostic diagnostic{DiagnosticCode::kImportRefused};
  diagnostic.what = "the memory given for " + name + " cannot be used as it is";
  diagnostic.why = std::string("found that ") + GetReasonText(reason) +
                   "; expected memory that can be imported, with MemoryUse::kImport";
  diagnostic.fix = "give memory that fits, or allow a copy with MemoryUse::kImportElseCopy";
  return diagnostic;
}

Diagnostic DescribeNotCopied(BindingKind kind, LayerBindingId id, const ITensorHandle& handle,
                             Status status) {
  const std::string name = NameBinding(kind, id);
  Diagnostic diagnostic{DiagnosticCode::kTransferFailed};
  diagnostic.what = name + " could not be copied";
  diagnostic.why = "the tensor handle of " + DescribeOwner(handle) + " answered \"" +
                   GetStatusText(status) + "\" when it was mapped; expected \"" +
                   GetStatusText(Status::kSuccess) + "\"";
  diagnostic.fix = "look at the log of the backends of the network";
  if (const Diagnostic* thrown = FindThrown(handle, status)) diagnostic.causes.push_back(*thrown);
  return diagnostic;
}

Diagnostic DescribeProtected(BindingKind kind, LayerBindingId id) {
  const std::string name = NameBinding(kind, id);
  Diagnostic diagnostic{DiagnosticCode::kProtectedTensor};
  diagnostic.what = name + " would be copied into or out of protected memory";
  diagnostic.why =
      "found a tensor in memory of the CPU; expected one in protected memory, which the CPU may "
      "not "
      "read";
  diagnostic.fix =
      "import protected memory with ImportTensor and give its id, or run the network in a runtime "
      "without protected mode";
  return diagnostic;
}

bool Overlap(const void* a, std::uint64_t a_bytes, const void* b, std::uint64_t b_bytes) {
  const auto a_begin = reinterpret_cast<std::uintptr_t>(a);
  const auto b_begin = reinterpret_cast<std::uintptr_t>(b);
  return a_begin < b_begin + b_bytes && b_begin < a_begin + a_bytes;
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
  for (std::size_t i = 0; i < num_inputs_begun_; ++i) {
    const InputTensor& input = inputs_[i];
    memory_.GetInputs()[input.id].Release();
    if (input.imported == kNotImported) continue;
    memory_.UseHandles(plan_.inputs[input.id], nullptr);
    imported_.GiveBack(input.imported);
  }
  for (std::size_t i = 0; i < num_outputs_begun_; ++i) {
    const OutputTensor& output = outputs_[i];
    memory_.GetOutputs()[output.id].Release();
    if (output.imported == kNotImported) continue;
    memory_.UseHandles(plan_.outputs[output.id], nullptr);
    imported_.GiveBack(output.imported);
  }
}

Status RunBindings::Begin(MemoryProtection protection, std::optional<Diagnostic>* failure) {
  for (const InputTensor& input : inputs_) {
    const Status status = BeginInput(input, protection, failure);
    if (status != Status::kSuccess) return status;
    ++num_inputs_begun_;
  }
  for (const OutputTensor& output : outputs_) {
    const Status status = BeginOutput(output, protection, failure);
    if (status != Status::kSuccess) return status;
    ++num_outputs_begun_;
  }
  return Status::kSuccess;
}

Status RunBindings::End(std::optional<Diagnostic>* failure) {
  for (const OutputTensor& output : outputs_) {
    BoundMemory& bound = memory_.GetOutputs()[output.id];
    if (output.imported != kNotImported || bound.IsImported() || output.size_bytes == 0) continue;
    const Status status = bound.CopyOut(output.data);
    if (status == Status::kSuccess) continue;
    Tell(failure, DescribeNotCopied(BindingKind::kOutput, output.id, bound.GetHandle(), status));
    return status;
  }
  return Status::kSuccess;
}

template <typename Tensor>
Status RunBindings::TakeImported(BindingKind kind, const Tensor& tensor,
                                 std::optional<Diagnostic>* failure) {
  const ImportedTensor* taken = imported_.Take(tensor.imported, kind, tensor.id);
  if (taken == nullptr) {
    Tell(failure, DescribeUnknownImported(kind, tensor.id, tensor.imported));
    return Status::kNotFound;
  }
  const bool is_input = kind == BindingKind::kInput;
  memory_.UseHandles((is_input ? plan_.inputs : plan_.outputs)[tensor.id], &taken->handles);
  (is_input ? counters_.inputs : counters_.outputs)[tensor.id].CountImport();
  return Status::kSuccess;
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
  if (input.imported != kNotImported) return TakeImported(BindingKind::kInput, input, failure);
  if (protection == MemoryProtection::kProtected) {
    Tell(failure, DescribeProtected(BindingKind::kInput, input.id));
    return Status::kUnsupported;
  }
  BoundMemory& bound = memory_.GetInputs()[input.id];
  if (bound.GetSizeBytes() == 0) return Status::kSuccess;
  const CopyReason reason = TryImport(input, bound, const_cast<void*>(input.tensor.data));
  if (reason == CopyReason::kNone) {
    counters_.inputs[input.id].CountImport();
    return Status::kSuccess;
  }
  if (input.use == MemoryUse::kImport) {
    Tell(failure, DescribeRefused(BindingKind::kInput, input.id, reason));
    return Status::kInvalidArgument;
  }
  counters_.inputs[input.id].CountCopy(bound.GetSizeBytes(), reason);
  const Status status = bound.CopyIn(input.tensor.data);
  if (status != Status::kSuccess) {
    Tell(failure, DescribeNotCopied(BindingKind::kInput, input.id, bound.GetHandle(), status));
  }
  return status;
}

Status RunBindings::BeginOutput(const OutputTensor& output, MemoryProtection protection,
                                std::optional<Diagnostic>* failure) {
  if (output.imported != kNotImported) return TakeImported(BindingKind::kOutput, output, failure);
  if (protection == MemoryProtection::kProtected) {
    Tell(failure, DescribeProtected(BindingKind::kOutput, output.id));
    return Status::kUnsupported;
  }
  BoundMemory& bound = memory_.GetOutputs()[output.id];
  if (output.size_bytes == 0) return Status::kSuccess;
  const CopyReason reason =
      OverlapsAnother(output) ? CopyReason::kOverlapping : TryImport(output, bound, output.data);
  if (reason == CopyReason::kNone) {
    counters_.outputs[output.id].CountImport();
    return Status::kSuccess;
  }
  if (output.use == MemoryUse::kImport) {
    Tell(failure, DescribeRefused(BindingKind::kOutput, output.id, reason));
    return Status::kInvalidArgument;
  }
  counters_.outputs[output.id].CountCopy(output.size_bytes, reason);
  return Status::kSuccess;
}

void RunBindings::Tell(std::optional<Diagnostic>* failure, Diagnostic diagnostic) const {
  if (failure == nullptr) return;
  diagnostic.subject = {SubjectKind::kNetwork, imported_.GetNetworkName()};
  *failure = std::move(diagnostic);
}

bool RunBindings::OverlapsAnother(const OutputTensor& output) const {
  for (const InputTensor& input : inputs_) {
    if (input.imported != kNotImported) continue;
    const std::uint64_t bytes = memory_.GetInputs()[input.id].GetSizeBytes();
    if (Overlap(output.data, output.size_bytes, input.tensor.data, bytes)) return true;
  }
  for (const OutputTensor& other : outputs_) {
    if (&other == &output || other.imported != kNotImported) continue;
    if (Overlap(output.data, output.size_bytes, other.data, other.size_bytes)) return true;
  }
  return false;
}

}  // namespace backplane
