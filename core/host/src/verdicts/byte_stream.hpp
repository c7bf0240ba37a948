#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace backplane::verdicts {

/// Appends plain values and texts to bytes that only this machine reads again.
class ByteWriter {
 public:
  template <typename Value>
  void Write(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void WriteText(std::string_view text) {
    Write(static_cast<std::uint32_t>(text.size()));
    bytes_.append(text);
  }
  const std::string& GetBytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads them. Once something is missing, it stays failed and gives zeros and empty texts.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename Value>
  Value Read() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value{};
    const std::string_view part = Take(sizeof(value));
    if (!has_failed_) std::memcpy(&value, part.data(), sizeof(value));
    return value;
  }
  std::string_view ReadText() { return Take(Read<std::uint32_t>()); }

  bool HasFailed() const { return has_failed_; }
  bool IsAtEnd() const { return bytes_.empty(); }

 private:
  std::string_view Take(std::size_t size) {
    if (size > bytes_.size()) has_failed_ = true;
    if (has_failed_) return {};
    const std::string_view part = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return part;
  }

  std::string_view bytes_;
  bool has_failed_ = false;
};

}  // namespace backplane::verdicts
