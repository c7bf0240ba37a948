#pragma once

#include "lies.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace backplane::fuzz {

/// The memory that the host shares with a process, and what lies write there. Both sides have it.
///
/// Threads: any.
class SharedWords {
 public:
  SharedWords() = default;
  ~SharedWords();
  SharedWords(const SharedWords&) = delete;
  SharedWords& operator=(const SharedWords&) = delete;

  /// Maps an area of the host, by its number.
  void Add(std::uint64_t id, int descriptor);
  /// That in which runs are handed over.
  void SetLane(std::uint64_t id);

  void WriteLane(const Lie& lie);
  void WriteOperand(const Lie& lie);
  void WriteArea(const Lie& lie);
  /// Changes the words of the lane many times, while both sides work with them.
  void Scribble(const Lie& lie);

 private:
  struct Area {
    std::byte* data = nullptr;
    std::size_t size_bytes = 0;
  };
  void Write(const Area& area, std::size_t offset_bytes, std::uint32_t value);
  void WriteWord(const Area& lane, std::size_t place, std::uint32_t value);
  const Area* FindLane() const;

  std::mutex mutex_;
  std::map<std::uint64_t, Area> areas_;
  std::uint64_t lane_ = 0;
};

}  // namespace backplane::fuzz
