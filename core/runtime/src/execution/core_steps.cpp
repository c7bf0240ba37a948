#include "execution/core_steps.hpp"

#include "tensors/copy_tensor.hpp"
#include "tensors/foreign_tensor_handle.hpp"
#include "tensors/status_text.hpp"

#include <backplane/api/c_values.hpp>
#include <backplane/host/workload_call.hpp>

#include <utility>

namespace backplane {

namespace {

/// `handle` is that whose backend is at fault.
[[noreturn]] void ThrowOf(const ITensorHandle& handle, const std::string& what,
                          const std::string& why) {
  Diagnostic diagnostic{DiagnosticCode::kTransferFailed};
  if (const std::string* owner = FindOwner(handle)) {
    diagnostic.subject = {SubjectKind::kBackend, *owner};
  }
  diagnostic.what = what;
  diagnostic.why = why;
  diagnostic.fix = "look at the log of the backends between which the tensor moves";
  throw DiagnosticException(std::move(diagnostic));
}

[[noreturn]] void ThrowFailed(const char* function, const std::string& kind,
                              const ITensorHandle& handle, Status status) {
  const Diagnostic* thrown = FindThrown(handle, status);
  const std::string who =
      std::string(function) + " of a tensor handle of " + kind + ", of " + DescribeOwner(handle);
  ThrowOf(handle, who + ", failed",
          who + ", answered \"" + DescribeStatus(status) + "\"" +
              (thrown != nullptr ? " (" + thrown->why + ")" : "") + "; expected \"" +
              GetStatusText(Status::kSuccess) + "\"");
}

/// The handle is the core's own or stands for another's.
void Require(Status status, const char* function, const std::string& kind,
             const ITensorHandle& handle) {
  if (status != Status::kSuccess) ThrowFailed(function, kind, handle, status);
}

/// A tensor that is mapped until the end of a block.
class Mapping {
 public:
  Mapping(ITensorHandle& handle, MemoryAccess access, const std::string& kind)
      : handle_(&handle), kind_(kind) {
    Require(handle.Map(access, &view_), "Map", kind, handle);
  }
  ~Mapping() {
    if (handle_ != nullptr) static_cast<void>(handle_->Unmap());
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const MemoryView& GetView() const { return view_; }

  /// What was written is lost when this fails.
  void End() {
    const ITensorHandle& handle = *handle_;
    Require(std::exchange(handle_, nullptr)->Unmap(), "Unmap", kind_, handle);
  }

 private:
  ITensorHandle* handle_;
  const std::string& kind_;
  MemoryView view_;
};

class MapCopyStep final : public IWorkload {
 public:
  explicit MapCopyStep(TransferEnds ends) : ends_(std::move(ends)) {}

  Status Execute(const ExecuteArgs& args) const override {
    Mapping from(*args.GetInput(0).GetHandle(), MemoryAccess::kRead, ends_.from);
    Mapping to(*args.GetOutput(0).GetHandle(), MemoryAccess::kWrite, ends_.to);
    CopyTensor(from.GetView(), to.GetView());
    to.End();
    from.End();
    return Status::kSuccess;
  }

 private:
  const TransferEnds ends_;
};

class ImportStep final : public IWorkload {
 public:
  explicit ImportStep(ImportStepArgs args) : args_(std::move(args)) {}

  Status Execute(const ExecuteArgs& args) const override {
    auto& is_imported = static_cast<CoreState*>(args.GetState())->is_imported[args_.step];
    if (args_.is_once && is_imported != 0) return Status::kSuccess;
    ITensorHandle& input = *args.GetInput(0).GetHandle();
    MemoryView exported;
    Require(input.Export(args_.source, &exported), "Export", args_.ends.from, input);
    for (std::uint32_t i = 0; i < args.GetNumOutputs(); ++i) {
      MemoryView memory = exported;
      // A view has the bytes under its own shape.
      memory.rank = 0;
      memory.data_type = DataType::kUndefined;
      memory = CompleteView(memory, *args_.rules[i].info);
      const std::string fault = FindImportFault(memory, args_.rules[i]);
      if (!fault.empty()) {
        const std::string what =
            "what " + args_.ends.from + " exports cannot be imported by " + args_.ends.to;
        ThrowOf(input, what, what + ": " + fault);
      }
      ITensorHandle& output = *args.GetOutput(i).GetHandle();
      Require(output.Import(memory), "Import", args_.ends.to, output);
    }
    is_imported = 1;
    return Status::kSuccess;
  }

 private:
  const ImportStepArgs args_;
};

class DeviceCopyStep final : public IWorkload {
 public:
  explicit DeviceCopyStep(DeviceCopyArgs args)
      : args_(std::move(args)), workload_(args_.workload) {}

  Status Execute(const ExecuteArgs& args) const override {
    const bool is_input = args_.is_input_foreign;
    const std::string& kind = is_input ? args_.ends.from : args_.ends.to;
    const RunTensor side = is_input ? args.GetInput(0) : args.GetOutput(0);
    ITensorHandle& foreign = *side.GetHandle();
    if (args_.source != MemorySource::kUndefined) {
      MemoryView view;
      Require(foreign.Export(args_.source, &view), "Export", kind, foreign);
      return Copy(args, view);
    }
    Mapping mapping(foreign, is_input ? MemoryAccess::kRead : MemoryAccess::kWrite, kind);
    const Status status = Copy(args, mapping.GetView());
    if (status == Status::kSuccess) mapping.End();
    return status;
  }

 private:
  // Without a completion: the memory is reached for the time of the call only.
  Status Copy(const ExecuteArgs& args, const MemoryView& view) const {
    const bp_view window = c_form::ToC(view);
    const bp_tensor seen{&window, nullptr, 0};
    bp_run_args inner = args.Get();
    if (args_.is_input_foreign) {
      inner.inputs = &seen;
    } else {
      inner.outputs = &seen;
    }
    inner.scope = workload_.GetScope();
    inner.completion = nullptr;
    auto result = workload_(inner);
    if (result.HasFailed()) throw DiagnosticException(std::move(*result.failure));
    return result.value;
  }

  const DeviceCopyArgs args_;
  const WorkloadCall workload_;
};

PluginObject<IWorkload> Wrap(std::unique_ptr<IWorkload> step) {
  auto origin = std::make_shared<PluginOrigin>();
  origin->backend_id = "the core";
  origin->declared_version = kBackendApiVersion;
  return {std::move(step), std::move(origin)};
}

}  // namespace

PluginObject<IWorkload> MakeMapCopyStep(TransferEnds ends) {
  return Wrap(std::make_unique<MapCopyStep>(std::move(ends)));
}

PluginObject<IWorkload> MakeImportStep(ImportStepArgs args) {
  return Wrap(std::make_unique<ImportStep>(std::move(args)));
}

PluginObject<IWorkload> MakeDeviceCopyStep(DeviceCopyArgs args) {
  return Wrap(std::make_unique<DeviceCopyStep>(std::move(args)));
}

}  // namespace backplane
