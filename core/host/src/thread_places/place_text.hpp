#pragma once

#include "thread_places/place_table.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace backplane::thread_places {

/// Text in a buffer of its own; what does not fit is left out. Every function of it may be called
/// in a handler of a signal.
class SmallText {
 public:
  static constexpr std::size_t kMaxBytes = 1024;

  void Clear() { size_ = 0; }
  void Add(const char* text) { Add(text, std::strlen(text)); }
  /// Control characters become '?'.
  void Add(const char* text, std::size_t size_bytes);
  /// Has room always.
  void EndLine();
  void AddNumber(std::uint64_t number, int base = 10);

  std::string_view Get() const { return {data_, size_}; }

 private:
  char data_[kMaxBytes] = {};
  std::size_t size_ = 0;
};

/// Adds where a thread is: `in layer "a" (Activation) of network "n" on backend "X"`.
/// Errors: false when it is in none; nothing is added then. [async-signal-safe]
bool AddPlace(const PlaceTable& table, const ThreadSlot& slot, SmallText& text);

}  // namespace backplane::thread_places
