#pragma once

#include "execution/execution_plan.hpp"
#include "execution/memory_range.hpp"
#include "kinds/kind_table.hpp"
#include "tensors/tensor_handle.hpp"

#include <backplane/runtime/i_runtime.hpp>

#include <backplane/host/shared_memory.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace backplane {

/// A descriptor of our own, closed at the end.
class OwnDescriptor {
 public:
  explicit OwnDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  ~OwnDescriptor();
  OwnDescriptor(const OwnDescriptor&) = delete;
  OwnDescriptor& operator=(const OwnDescriptor&) = delete;
  int Get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Memory of the application with handles of its own, one for each tensor that lies there.
struct ImportedTensor {
  explicit ImportedTensor(int descriptor) : file(descriptor) {}

  BindingKind kind = BindingKind::kInput;
  LayerBindingId binding = 0;
  MemoryRange range;
  OwnDescriptor file;                 // outlives the handles
  std::shared_ptr<SharedArea> area;   // of the file, where an isolated backend uses it; or null
  std::vector<TensorHandle> handles;  // for each member of the binding
  bool is_in_use = false;
};

/// What IRuntime::ImportTensor prepared for one loaded network.
///
/// Threads: any.
class ImportedTensors {
 public:
  /// Borrows all.
  ImportedTensors(const std::string& network, const ExecutionPlan& plan, const KindTable& table,
                  const KindObjects& objects)
      : network_(network), plan_(plan), table_(table), objects_(objects) {}

  const std::string& GetNetworkName() const { return network_; }

  /// Errors: DiagnosticException with kImportRefused or kWrongTensorBinding; as MakeHandle.
  ImportedTensorId Import(BindingKind kind, LayerBindingId binding, const MemoryView& memory);

  /// Errors: false for an id that is not known, or in use.
  bool Release(ImportedTensorId id);

  /// Takes one for a run.
  /// Null: it is not known, in use, or of another binding.
  const ImportedTensor* Take(ImportedTensorId id, BindingKind kind, LayerBindingId binding);
  void GiveBack(ImportedTensorId id);

 private:
  std::unique_ptr<ImportedTensor> Make(const PlannedBinding& binding, const MemoryView& memory,
                                       const std::string& name) const;

  void Share(const PlannedBinding& binding, const std::string& name, MemoryView& memory,
             ImportedTensor& made) const;
  [[noreturn]] void ThrowRefused(const std::string& binding, const std::string& why) const;
  [[noreturn]] void ThrowNoDescriptor(const std::string& binding, int descriptor, int error) const;
  [[noreturn]] void ThrowNoBinding(const std::string& binding, std::size_t count) const;

  const std::string& network_;
  const ExecutionPlan& plan_;
  const KindTable& table_;
  const KindObjects& objects_;
  std::mutex mutex_;
  ImportedTensorId last_id_ = kNotImported;
  std::map<ImportedTensorId, std::unique_ptr<ImportedTensor>> tensors_;
};

}  // namespace backplane
