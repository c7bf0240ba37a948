#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <string>

namespace backplane {

/// What memory must be to become a tensor's.
struct ImportRules {
  const TensorInfo* info = nullptr;
  MemoryRequirements requirements;            // of the tensor in its kind of memory
  MemorySourceFlags sources = 0;              // that its handle imports
  MemoryAccess access = MemoryAccess::kRead;  // that is needed
};

/// The view with the tensor's type, dims and dense strides, when it has neither rank nor type.
MemoryView CompleteView(const MemoryView& memory, const TensorInfo& info);

/// What keeps the memory from being used, as "found ...; expected ...", or "". Looks at the view
/// and, for a file descriptor, at the size of the file; never at the memory itself.
std::string FindImportFault(const MemoryView& memory, const ImportRules& rules);

/// "malloc", "file descriptor", ...; several joined by " or "; "none".
std::string DescribeSources(MemorySourceFlags sources);

}  // namespace backplane
