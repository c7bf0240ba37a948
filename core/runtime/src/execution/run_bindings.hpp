#pragma once

#include "execution/imported_tensors.hpp"
#include "execution/transfer_counters.hpp"
#include "execution/working_memory.hpp"

#include <backplane/api/status.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/host/thread_places.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <optional>
#include <string>

namespace backplane {

/// The memory of the application in one run: brought in before, taken out after, and let go at the
/// end, however the run ends.
class RunBindings {
 public:
  /// Borrows all, until the run has ended. The tensors given are those of the network.
  RunBindings(const ExecutionPlan& plan, WorkingMemory& memory, ImportedTensors& imported,
              const InputTensors& inputs, const OutputTensors& outputs);
  ~RunBindings();
  RunBindings(const RunBindings&) = delete;
  RunBindings& operator=(const RunBindings&) = delete;

  /// Imports or copies the inputs, and imports those outputs that can be. `scope` is told at which
  /// binding it is.
  /// Errors: kInvalidArgument (kImportRefused), kNotFound (kUnknownImportedTensor), kUnsupported
  /// (kProtectedTensor), or what a handle answered (kTransferFailed); `failure` gets the
  /// diagnostic.
  Status Begin(MemoryProtection protection, RunScope& scope, std::optional<Diagnostic>* failure);

  /// Copies those outputs that were not imported.
  /// Errors: what a handle answered (kTransferFailed).
  Status End(RunScope& scope, std::optional<Diagnostic>* failure);

  /// Whose tensor handle could not be mapped, when Begin or End answered what a handle did.
  /// Null: it was no backend's fault. Valid as long as the handles.
  const std::string* GetFailedBackend() const { return failed_backend_; }

  /// Whether nothing was written over the inputs: no imported output lies in one and, at the end,
  /// no other either. After Begin.
  bool AreInputsKept() const;

 private:
  Status TakeAllImported(std::optional<Diagnostic>* failure);
  void FindOverlaps();
  void AddOverlaps();
  /// Whether an output is written where its input lies, in exactly that memory.
  bool IsInPlace(const OutputTensor& output) const;
  bool IsInPlace(const InputTensor& input) const;
  MemoryRange GetRange(const InputTensor& input) const;
  MemoryRange GetRange(const OutputTensor& output) const;
  /// Whether an output is written where an input lies, while that is needed.
  bool IsOverwritten(const InputTensor& input) const;
  Status RefuseOverlap(BindingKind kind, LayerBindingId id, const MemoryRange& range,
                       std::optional<Diagnostic>* failure) const;
  template <typename Tensor>
  Status TakeImported(BindingKind kind, const Tensor& tensor, std::optional<Diagnostic>* failure);
  template <typename Tensors>
  void GiveBack(const Tensors& tensors, const std::vector<PlannedBinding>& bindings,
                std::vector<BoundMemory>& bound, std::size_t num_taken);
  template <typename Tensor>
  CopyReason TryImport(const Tensor& tensor, BoundMemory& bound, void* data) const;
  Status BeginInput(const InputTensor& input, MemoryProtection protection,
                    std::optional<Diagnostic>* failure);
  Status BeginOutput(const OutputTensor& output, MemoryProtection protection,
                     std::optional<Diagnostic>* failure);
  Status BeginImportedOutput(const OutputTensor& output, std::optional<Diagnostic>* failure);
  Status TellNotCopied(BindingKind kind, LayerBindingId id, CopyReason reason, BoundMemory& bound,
                       Status status, std::optional<Diagnostic>* failure);
  void Tell(std::optional<Diagnostic>* failure, Diagnostic diagnostic) const;

  const ExecutionPlan& plan_;
  WorkingMemory& memory_;
  ImportedTensors& imported_;
  TransferCounters& counters_;
  const InputTensors& inputs_;
  const OutputTensors& outputs_;
  std::size_t num_inputs_taken_ = 0;
  std::size_t num_outputs_taken_ = 0;
  const std::string* failed_backend_ = nullptr;
  bool is_copying_out_ = false;
  bool may_be_in_place_ = true;  // what lies so meets nothing else
};

}  // namespace backplane
