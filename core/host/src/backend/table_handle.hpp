// Tensors in memory of a backend, over its table.
#pragma once

#include "backend/instance.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>

#include <memory>
#include <string>

namespace backplane::backend {

class TableKind final : public ITensorHandleFactory {
 public:
  /// `scope` is what the kind belongs to.
  TableKind(InstanceShare instance, std::shared_ptr<const Scope> scope, std::string id,
            const bp_kind_info& info)
      : instance_(std::move(instance)), scope_(std::move(scope)), id_(std::move(id)), info_(info) {}

  const char* GetId() const override { return id_.c_str(); }
  Status GetProperties(TensorHandleFactoryProperties* properties) const override;
  MemoryRequirements GetRequirements(const TensorRequirementsArgs& args) const override;
  std::unique_ptr<ITensorHandle> CreateTensorHandle(const TensorHandleArgs& args) const override;
  std::unique_ptr<ITensorHandle> CreateSubTensorHandle(
      const SubTensorHandleArgs& args) const override;

 private:
  std::unique_ptr<ITensorHandle> Create(const TensorInfo& info, ITensorHandle* parent,
                                        const std::int64_t* origin, const char* function) const;

  InstanceShare instance_;
  std::shared_ptr<const Scope> scope_;
  std::string id_;
  bp_kind_info info_;
};

class TableHandle final : public ITensorHandle {
 public:
  TableHandle(InstanceShare instance, std::shared_ptr<const Scope> scope, bp_handle* handle)
      : instance_(std::move(instance)), scope_(std::move(scope)), handle_(handle) {
    crossing.raw = handle;
  }
  ~TableHandle() override { (*instance_)->free_handle(handle_); }

  const MemoryView* GetMemoryView() const override;
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  Status Export(MemorySource source, MemoryView* memory) override;
  const Instance& GetInstance() const { return *instance_; }
  const Scope& GetScope() const { return *scope_; }

 private:
  bp_view_args MakeViewArgs() const;
  Status CallBind(const char* function, const bp_bind_args& args);

  InstanceShare instance_;
  std::shared_ptr<const Scope> scope_;
  bp_handle* handle_;
  mutable MemoryView view_;
};

}  // namespace backplane::backend
