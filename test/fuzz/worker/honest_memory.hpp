#pragma once

#include <backplane/api/i_memory_manager.hpp>
#include <backplane/api/i_tensor_handle_factory.hpp>

#include <memory>

namespace backplane::fuzz {

/// Of tensors that lie where they are bound, or in what they import.
std::unique_ptr<ITensorHandleFactory> MakeBoundFactory();
/// Of tensors that lie in files of their own, which are exported.
std::unique_ptr<ITensorHandleFactory> MakeOwningFactory();
/// Of blocks in files.
std::shared_ptr<IMemoryManager> MakeFileManager();

}  // namespace backplane::fuzz
