#pragma once

#include "execution/memory_range.hpp"
#include "tensors/mapped_file.hpp"
#include "tensors/tensor_handle.hpp"

#include <backplane/host/shared_memory.hpp>
#include <backplane/runtime/run_tensors.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
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

}  // namespace backplane
