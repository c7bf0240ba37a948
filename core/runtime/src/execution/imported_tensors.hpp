#pragma once

#include "execution/execution_plan.hpp"
#include "execution/memory_range.hpp"
#include "placement/kind_table.hpp"
#include "tensors/mapped_file.hpp"
#include "tensors/tensor_handle.hpp"

#include <backplane/host/shared_memory.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
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

/// What one placement of a network made of memory of the application: handles of its own, one for
/// each tensor that lies there.
struct ImportedTensor {
  MemoryRange range;
  std::shared_ptr<SharedArea> area;   // of the file, where an isolated backend uses it; or null
  MappedFile file;                    // where the kind of tensor memory takes addresses only
  std::vector<TensorHandle> handles;  // for each member of the binding
};

/// Memory that the application gave for a binding, whose view is complete.
struct GivenTensor {
  explicit GivenTensor(int descriptor) : file(descriptor) {}

  BindingKind kind = BindingKind::kInput;
  LayerBindingId binding = 0;
  MemoryView memory;   // of `file`, when it is of a file
  OwnDescriptor file;  // outlives the handles
  bool is_in_use = false;
  std::map<const void*, std::unique_ptr<ImportedTensor>> made;  // by placement
};

/// What IRuntime::ImportTensor was given for one network, whatever its placement. A placement is
/// known by an address of its own.
///
/// Threads: any.
class GivenTensors {
 public:
  /// Makes of given memory what a placement needs.
  using Make = std::function<std::unique_ptr<ImportedTensor>(const GivenTensor& given)>;

  ImportedTensorId Add(std::unique_ptr<GivenTensor> given);

  /// Errors: false for an id that is not known, or in use.
  bool Release(ImportedTensorId id);

  /// Takes one for a run of a placement. `make` is called when it is the first that this placement
  /// has with it.
  /// Null: it is not known, in use, or of another binding.
  /// Errors: what `make` throws; it is not taken then.
  const ImportedTensor* Take(ImportedTensorId id, BindingKind kind, LayerBindingId binding,
                             const void* placement, const Make& make);
  void GiveBack(ImportedTensorId id);

  /// Destroys what a placement made. No run of it has any.
  void Forget(const void* placement);

 private:
  std::mutex mutex_;
  ImportedTensorId last_id_ = kNotImported;
  std::map<ImportedTensorId, std::unique_ptr<GivenTensor>> tensors_;
};

/// What one placement of a network makes of the memory that IRuntime::ImportTensor is given.
///
/// Threads: any.
class ImportedTensors {
 public:
  /// Borrows all but `given`, which the placements of a network share.
  ImportedTensors(const std::string& network, const ExecutionPlan& plan, const KindTable& table,
                  const KindObjects& objects, std::shared_ptr<GivenTensors> given)
      : network_(network),
        plan_(plan),
        table_(table),
        objects_(objects),
        given_(std::move(given)) {}
  ~ImportedTensors() { given_->Forget(this); }
  ImportedTensors(const ImportedTensors&) = delete;
  ImportedTensors& operator=(const ImportedTensors&) = delete;

  const std::string& GetNetworkName() const { return network_; }

  /// Errors: DiagnosticException with kImportRefused or kWrongTensorBinding; as MakeHandle.
  ImportedTensorId Import(BindingKind kind, LayerBindingId binding, const MemoryView& memory);

  /// Errors: false for an id that is not known, or in use.
  bool Release(ImportedTensorId id) { return given_->Release(id); }

  /// Takes one for a run.
  /// Null: it is not known, in use, or of another binding.
  /// Errors: as Import, for one that was given to another placement and cannot be used in this one.
  const ImportedTensor* Take(ImportedTensorId id, BindingKind kind, LayerBindingId binding);
  void GiveBack(ImportedTensorId id) { given_->GiveBack(id); }

 private:
  /// The view, completed, when the memory can be used and is of one of these sources.
  MemoryView Check(const PlannedBinding& binding, const MemoryView& memory,
                   MemorySourceFlags sources, const std::string& name) const;
  std::unique_ptr<ImportedTensor> Make(const PlannedBinding& binding, MemoryView memory,
                                       const std::string& name) const;
  std::unique_ptr<ImportedTensor> MakeAgain(const GivenTensor& given) const;
  const PlannedBinding& GetBinding(BindingKind kind, LayerBindingId binding) const {
    return (kind == BindingKind::kInput ? plan_.inputs : plan_.outputs)[binding];
  }

  void Share(const PlannedBinding& binding, const std::string& name, MemoryView& memory,
             ImportedTensor& made) const;
  /// Gives a file an address in this process.
  void Map(const PlannedBinding& binding, const std::string& name, MemoryView& memory,
           ImportedTensor& made) const;
  [[noreturn]] void ThrowRefused(const std::string& binding, const std::string& why) const;
  [[noreturn]] void ThrowNoDescriptor(const std::string& binding, int descriptor, int error) const;
  [[noreturn]] void ThrowNoBinding(const std::string& binding, std::size_t count) const;

  const std::string& network_;
  const ExecutionPlan& plan_;
  const KindTable& table_;
  const KindObjects& objects_;
  const std::shared_ptr<GivenTensors> given_;
};

}  // namespace backplane
