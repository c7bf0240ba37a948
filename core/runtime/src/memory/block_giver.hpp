#pragma once

#include <backplane/api/i_custom_allocator.hpp>
#include <backplane/api/i_memory_manager.hpp>
#include <backplane/api/memory_view.hpp>
#include <backplane/host/plugin_object.hpp>

#include <memory>
#include <string>

namespace backplane {

/// One that gives blocks of memory and takes them back.
///
/// Threads: any.
class BlockGiver {
 public:
  virtual ~BlockGiver() = default;

  /// Errors: a status, or what was thrown; there is no block then.
  virtual PluginResult<Status> Give(const MemoryRequirements& requirements, MemoryBlock* block) = 0;
  /// What goes wrong is logged.
  virtual void TakeBack(const MemoryBlock& block) noexcept = 0;

  /// "the memory manager of backend \"A\"", for messages.
  virtual std::string Describe() const = 0;
  virtual const std::string& GetBackendId() const = 0;
};

/// The memory manager of a backend. Must not be empty.
std::unique_ptr<BlockGiver> MakeBlockGiver(PluginObject<IMemoryManager> memory_manager);

/// An allocator of the application for a backend. Must not be empty.
std::unique_ptr<BlockGiver> MakeBlockGiver(PluginObject<ICustomAllocator> allocator);

}  // namespace backplane
