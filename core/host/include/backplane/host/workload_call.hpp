#pragma once

/// How workloads and tensor handles are called at each run: what the table of their backend has,
/// without anything between.

#include <backplane/api/backend_options.hpp>
#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/i_workload.hpp>
#include <backplane/host/export.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

/// What a backend says of one failure. Empty: nothing.
struct bp_error {
  struct Said {
    std::string text;
    std::uint32_t reason = 0;
    std::int64_t vendor_code = 0;
    backplane::BackendCapabilities values;
    /// What was thrown on this side of the boundary; it is told instead.
    std::exception_ptr thrown;
  };
  std::unique_ptr<Said> said;
};

namespace backplane {

/// One workload as a step of a loaded network holds it; filled once.
///
/// Threads: any.
class BACKPLANE_HOST_API WorkloadCall {
 public:
  /// Must not be empty.
  explicit WorkloadCall(PluginObject<IWorkload> workload);

  /// Runs it. The arguments have GetScope, and the handles and the state that its backend knows.
  PluginResult<Status> operator()(const bp_run_args& args) const noexcept {
    PluginResult<Status> result;
    bp_error error;
    result.value = static_cast<Status>(run_(object_, &args, &error));
    if (error.said) result.failure = DescribeFailure(result.value, error);
    return result;
  }

  /// Whether it is an object of this side: one of the core, or of another process.
  bool IsDirect() const { return scope_ == nullptr; }
  /// For what its backend is called. Null: it is an object of this side.
  const bp_scope* GetScope() const { return scope_; }
  const IWorkload* Get() const { return workload_.Share().get(); }
  const std::shared_ptr<const PluginOrigin>& GetOrigin() const { return workload_.GetOrigin(); }

 private:
  std::unique_ptr<Diagnostic> DescribeFailure(Status status, bp_error& error) const noexcept;

  PluginObject<IWorkload> workload_;
  bp_status (*run_)(const bp_workload*, const bp_run_args*, bp_error*);
  const bp_workload* object_;
  const bp_scope* scope_ = nullptr;
};

/// One tensor handle, as a run puts it into memory and shows where it lies; filled once.
///
/// Threads: one at a time.
class BACKPLANE_HOST_API HandleCall {
 public:
  /// Must not be empty.
  explicit HandleCall(PluginObject<ITensorHandle> handle);

  /// As ITensorHandle has them.
  PluginResult<Status> Import(const MemoryView& memory) const noexcept;
  PluginResult<Status> Unimport() const noexcept;
  /// Where the tensor lies, as runs get it: a dense one has no strides. `shown` holds until the
  /// handle is bound or imports; all 0: it shows nothing.
  PluginResult<Status> Show(bp_view& shown) const noexcept;

  const PluginObject<ITensorHandle>& Get() const { return handle_; }

 private:
  PluginResult<Status> Bind(const char* function, std::uint32_t action,
                            const bp_view* memory) const noexcept;
  PluginResult<Status> Finish(const char* function, bp_status status,
                              bp_error& error) const noexcept;

  PluginObject<ITensorHandle> handle_;
  // Null: it is an object of this side.
  bp_status (*bind_)(bp_handle*, const bp_bind_args*, bp_error*) = nullptr;
  bp_status (*get_view_)(bp_handle*, const bp_view_args*, bp_view*, bp_error*) = nullptr;
  bp_handle* object_ = nullptr;
  const bp_scope* scope_ = nullptr;
};

}  // namespace backplane
