#pragma once

#include "tensors/foreign_tensor_handle.hpp"
#include "tensors/host_tensor_handle.hpp"

#include <backplane/api/i_tensor_handle_factory.hpp>
#include <backplane/api/run_arguments.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <vector>

namespace backplane {

/// A handle of any kind, held by the core: one of its own, or one that a backend's factory made.
class TensorHandle {
 public:
  /// One of the core.
  TensorHandle(const TensorInfo& info, MemoryAccess access)
      : host_(std::make_unique<HostTensorHandle>(info, access)) {}

  /// One of a factory.
  /// Errors: DiagnosticException with kBackendThrew; kFactoryDisagrees when there is none.
  TensorHandle(const PluginObject<ITensorHandleFactory>& factory, const TensorInfo& info);

  /// One for a part of `parent`, which the same factory made.
  /// Errors: the same.
  TensorHandle(const PluginObject<ITensorHandleFactory>& factory, const TensorHandle& parent,
               const TensorInfo& info, const std::vector<std::int64_t>& origin);

  /// As the backend that made it gets it.
  ITensorHandle* ForOwner() const { return host_ ? host_.get() : plugin_.Share().get(); }
  /// The same, as runs get it.
  bp_handle* GetRaw() const { return GetRawHandle(*ForOwner()); }
  /// As everyone else gets it, the core too.
  ITensorHandle* ForOthers() const {
    return host_ ? static_cast<ITensorHandle*>(host_.get()) : foreign_.get();
  }

  /// Errors: what the handle answers. DiagnosticException with kBackendThrew.
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes);

 private:
  void Take(PluginResult<std::unique_ptr<ITensorHandle>> made,
            const PluginObject<ITensorHandleFactory>& factory, const TensorInfo& info);

  std::unique_ptr<HostTensorHandle> host_;
  PluginObject<ITensorHandle> plugin_;
  std::unique_ptr<ForeignTensorHandle> foreign_;
};

}  // namespace backplane
