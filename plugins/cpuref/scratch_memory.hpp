#pragma once

#include <backplane/api/i_workload.hpp>

#include <cstdint>
#include <memory>

namespace backplane {
namespace cpuref {

/// Where the workloads of one network keep what they need while they run, one at a time.
class ScratchMemory : public IExecutionState {
 public:
  explicit ScratchMemory(std::uint64_t size_bytes)
      : size_bytes_(size_bytes), memory_(new Line[GetNumLines(size_bytes)]) {}

  unsigned char* GetData() const { return memory_[0].bytes; }
  std::uint64_t GetSizeBytes() const { return size_bytes_; }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64];
  };

  static std::size_t GetNumLines(std::uint64_t size_bytes) {
    return static_cast<std::size_t>(size_bytes / sizeof(Line) + 1);
  }

  const std::uint64_t size_bytes_;
  const std::unique_ptr<Line[]> memory_;
};

}  // namespace cpuref
}  // namespace backplane
