#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace backplane {

/// Who used the bytes of one block last, while a plan goes through the steps of a run.
class ByteUses {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffU;
  /// As many readers of the same bytes stand beside each other. The next one comes after them, so
  /// that who writes there later has few to wait for.
  static constexpr std::size_t kMaxReaders = 32;

  /// Adds those that a reader comes after to `found`.
  void FindForRead(std::uint64_t begin, std::uint64_t end, std::vector<std::uint32_t>& found) const;

  /// Adds those that a writer comes after to `found`.
  void FindForWrite(std::uint64_t begin, std::uint64_t end,
                    std::vector<std::uint32_t>& found) const;

  void Read(std::uint64_t begin, std::uint64_t end, std::uint32_t step);

  /// `step` is kNobody for one that has finished when the next one begins.
  void Write(std::uint64_t begin, std::uint64_t end, std::uint32_t step);

 private:
  struct Use {
    std::uint64_t end = 0;
    std::uint32_t writer = kNobody;
    std::vector<std::uint32_t> readers;  // since it was written
  };
  using Uses = std::map<std::uint64_t, Use>;  // by their begin; none overlap

  template <typename Take>
  void ForEach(std::uint64_t begin, std::uint64_t end, const Take& take) const;
  void SplitAt(std::uint64_t at);
  void FillGaps(std::uint64_t begin, std::uint64_t end);

  Uses uses_;
};

}  // namespace backplane
