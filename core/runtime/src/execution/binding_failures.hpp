#pragma once

#include "execution/binding_plan.hpp"

#include <backplane/api/i_tensor_handle.hpp>
#include <backplane/api/status.hpp>
#include <backplane/host/diagnostic.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <string>

namespace backplane {

/// "input 0", for messages.
std::string NameBinding(BindingKind kind, LayerBindingId id);

/// What keeps an input or output from being used in a run. Without the name of the network.

/// kUnknownImportedTensor.
Diagnostic DescribeUnknownImported(BindingKind kind, LayerBindingId id, ImportedTensorId imported);

/// kImportRefused: it would have to be copied, and may not be.
Diagnostic DescribeRefused(BindingKind kind, LayerBindingId id, CopyReason reason);

/// kImportRefused: the same, because it overlaps `other`, a name.
Diagnostic DescribeOverlap(BindingKind kind, LayerBindingId id, const std::string& other);

/// kTransferFailed: it had to be copied for this reason, and its handle answered so.
Diagnostic DescribeNotCopied(BindingKind kind, LayerBindingId id, CopyReason reason,
                             const ITensorHandle& handle, Status status);

/// kProtectedTensor.
Diagnostic DescribeProtected(BindingKind kind, LayerBindingId id);

}  // namespace backplane
