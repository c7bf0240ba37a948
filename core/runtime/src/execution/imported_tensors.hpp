#pragma once

#include "bridging/kind_table.hpp"
#include "execution/execution_plan.hpp"
#include "execution/given_tensors.hpp"

#include <memory>
#include <string>
#include <utility>

namespace backplane {

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
