#pragma once

#include <backplane/api/i_tensor_handle.hpp>

#include <string>

namespace backplane::fuzz {

enum class Use { kRead, kReadAndWrite };

/// Reads the memory that a view gives, by its address or its file, and writes it back. Gives what
/// cannot be true of it; "": nothing. Memory that is not there ends the process.
std::string UseMemory(const MemoryView& view, const TensorInfo& info, Use use);

/// A tensor of the host in memory that is lent.
class LentTensor final : public ITensorHandle {
 public:
  LentTensor(const TensorInfo& info, void* data);

  const MemoryView* GetMemoryView() const override { return &view_; }
  Status Bind(const MemoryBlock& block, std::uint64_t offset_bytes) override;
  Status Map(MemoryAccess access, MemoryView* view) override;
  Status Unmap() override;
  Status Import(const MemoryView& memory) override;
  Status Unimport() override;
  Status Export(MemorySource source, MemoryView* memory) override;

 private:
  MemoryView view_;
};

}  // namespace backplane::fuzz
