#include "execution/binding_failures.hpp"

#include "tensors/foreign_tensor_handle.hpp"
#include "tensors/status_text.hpp"

namespace backplane {

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

Diagnostic DescribeOverlap(BindingKind kind, LayerBindingId id, const std::string& other) {
  Diagnostic diagnostic = DescribeRefused(kind, id, CopyReason::kOverlapping);
  diagnostic.why = std::string("found that ") + GetReasonText(CopyReason::kOverlapping) + ", " +
                   other + "; expected memory of its own, as it may not be copied";
  diagnostic.fix =
      "give memory of its own, or give the tensor at each run with MemoryUse::kImportElseCopy";
  return diagnostic;
}

Diagnostic DescribeNotCopied(BindingKind kind, LayerBindingId id, CopyReason reason,
                             const ITensorHandle& handle, Status status) {
  const std::string name = NameBinding(kind, id);
  Diagnostic diagnostic{DiagnosticCode::kTransferFailed};
  diagnostic.what = name + " could not be copied";
  diagnostic.why = std::string("it had to be copied, because ") + GetReasonText(reason) +
                   "; the tensor handle of " + DescribeOwner(handle) + " answered \"" +
                   DescribeStatus(status) + "\" when it was mapped; expected \"" +
                   GetStatusText(Status::kSuccess) + "\"";
  diagnostic.fix =
      "give memory that can be imported, or look at the log of the backends of the network";
  if (const Diagnostic* thrown = FindThrown(handle, status)) diagnostic.causes.push_back(*thrown);
  return diagnostic;
}

Diagnostic DescribeProtected(BindingKind kind, LayerBindingId id) {
  const std::string name = NameBinding(kind, id);
  Diagnostic diagnostic{DiagnosticCode::kProtectedTensor};
  diagnostic.what = name + " would be copied into or out of protected memory";
  diagnostic.why =
      "found a tensor in memory of the CPU; expected one in protected memory, which the CPU may "
      "not read";
  diagnostic.fix =
      "import protected memory with ImportTensor and give its id, or run the network in a runtime "
      "without protected mode";
  return diagnostic;
}

}  // namespace backplane
