#pragma once

/// What goes between a host and the process of a backend, and how it is written and read. Whoever
/// reads trusts nothing: lengths are bounded by what is there.

#include "wire/file_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace backplane::wire {

/// What the other side is asked, or tells.
enum class Function : std::uint32_t {
#define BACKPLANE_MESSAGE(name, words) k##name,
#include "wire/functions.def"
#undef BACKPLANE_MESSAGE
};

/// The words of the Backend API for it. Null: there is no such function.
const char* FindWords(Function function);

enum class MessageKind : std::uint32_t {
  kCall = 1,    // an answer is expected; may come from either side
  kAnswer = 2,  // what was asked for
  kThrown = 3,  // the answer is what was thrown
  kNotice = 4,  // no answer is expected
};

struct Message {
  MessageKind kind = MessageKind::kCall;
  Function function = Function::kOpen;
  std::string body;
  std::vector<FileDescriptor> descriptors;
  bool are_descriptors_lost = false;  // this process may not have that many open
};

/// Writes values one behind the other.
class Writer {
 public:
  template <typename Value>
  Writer& Put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value> && !std::is_pointer_v<Value>);
    body_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  Writer& PutText(std::string_view text) {
    Put(static_cast<std::uint64_t>(text.size()));
    body_.append(text);
    return *this;
  }
  Writer& PutBytes(const void* data, std::size_t size_bytes) {
    return PutText({static_cast<const char*>(data), size_bytes});
  }
  /// Adds what another wrote.
  Writer& Append(const Writer& other) {
    body_ += other.body_;
    return *this;
  }
  const std::string& Get() const { return body_; }

 private:
  std::string body_;
};

/// Reads what a Writer wrote. What is behind the end is 0 and empty; then IsWhole is false.
class Reader {
 public:
  explicit Reader(std::string_view body) : rest_(body) {}

  template <typename Value>
  Value Take() {
    static_assert(std::is_trivially_copyable_v<Value> && !std::is_pointer_v<Value>);
    Value value{};
    if (rest_.size() < sizeof(value)) {
      Fail();
    } else {
      std::memcpy(&value, rest_.data(), sizeof(value));
      rest_.remove_prefix(sizeof(value));
    }
    return value;
  }
  /// Into the message, whose body must stay.
  std::string_view TakeText() {
    const auto size_bytes = Take<std::uint64_t>();
    if (size_bytes > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view text = rest_.substr(0, size_bytes);
    rest_.remove_prefix(size_bytes);
    return text;
  }
  /// How many things follow, each of at least `least_bytes`.
  std::size_t TakeCount(std::size_t least_bytes) {
    const auto count = Take<std::uint64_t>();
    if (count > rest_.size() / (least_bytes == 0 ? 1 : least_bytes)) {
      Fail();
      return 0;
    }
    return count;
  }
  /// What was read cannot be true: nothing more is read, and it counts as not whole.
  void Refuse() { Fail(); }
  bool IsWhole() const { return is_whole_; }
  /// Whole, and nothing is left.
  bool IsAtEnd() const { return is_whole_ && rest_.empty(); }

 private:
  void Fail() {
    is_whole_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool is_whole_ = true;
};

}  // namespace backplane::wire
