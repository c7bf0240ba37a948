#pragma once

/// Values as bytes. A value is a number, an enumerator, a duration, a text, a vector or an optional
/// of these, or a struct. A function in the namespace of a struct lists its fields, once for both
/// ways:
///   template <typename Fields>
///   void VisitFields(Fields& fields, Stamp& stamp) {
///     fields(stamp.size_bytes, stamp.path);
///   }

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace backplane::wire {

/// Written as it lies in memory. A specialisation makes a struct such a one, whose pointers mean
/// nothing to the reader.
template <typename Value>
constexpr bool kIsPlain = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

/// Writes values one behind the other.
class Writer {
 public:
  template <typename... Values>
  Writer& Put(const Values&... values) {
    (PutOne(values), ...);
    return *this;
  }
  template <typename... Values>
  void operator()(const Values&... values) {
    Put(values...);
  }
  Writer& PutText(std::string_view text) {
    Put(static_cast<std::uint64_t>(text.size()));
    body_.append(text);
    return *this;
  }
  Writer& PutBytes(const void* data, std::size_t size_bytes) {
    return PutText({static_cast<const char*>(data), size_bytes});
  }
  /// Nothing is refused that is written.
  bool Require(bool /*can_be*/) { return true; }
  const std::string& Get() const { return body_; }

 private:
  template <typename Value>
  void PutOne(const Value& value) {
    if constexpr (kIsPlain<Value>) {
      static_assert(std::is_trivially_copyable_v<Value>);
      body_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    } else {
      VisitFields(*this, const_cast<Value&>(value));  // the list takes what a reader changes
    }
  }
  void PutOne(const std::string& text) { PutText(text); }
  template <typename Count, typename Period>
  void PutOne(const std::chrono::duration<Count, Period>& duration) {
    Put(duration.count());
  }
  template <typename Value>
  void PutOne(const std::optional<Value>& value) {
    Put(value.has_value());
    if (value) Put(*value);
  }
  template <typename Value>
  void PutOne(const std::vector<Value>& values) {
    Put(static_cast<std::uint64_t>(values.size()));
    for (const Value& value : values) Put(value);
  }

  std::string body_;
};

/// Reads what a Writer wrote, and trusts nothing: lengths are bounded by what is there. What is
/// behind the end is 0 and empty; then IsWhole is false. If it is whole afterwards, all that was
/// read can be.
class Reader {
 public:
  explicit Reader(std::string_view body) : rest_(body) {}

  template <typename Value>
  Value Take() {
    Value value{};
    TakeOne(value);
    return value;
  }
  template <typename... Values>
  void operator()(Values&... values) {
    (TakeOne(values), ...);
  }
  /// Into the message, whose body must stay.
  std::string_view TakeText() {
    const auto size_bytes = Take<std::uint64_t>();
    if (!Require(size_bytes <= rest_.size())) return {};
    const std::string_view text = rest_.substr(0, size_bytes);
    rest_.remove_prefix(size_bytes);
    return text;
  }
  /// False: what was read cannot be. Nothing more is read then, and it counts as not whole.
  bool Require(bool can_be) {
    if (can_be) return true;
    is_whole_ = false;
    rest_ = {};
    return false;
  }
  bool IsWhole() const { return is_whole_; }
  /// Whole, and nothing is left.
  bool IsAtEnd() const { return is_whole_ && rest_.empty(); }

 private:
  static constexpr int kMaxDepth = 32;  // of structs in structs

  template <typename Value>
  void TakeOne(Value& value) {
    if constexpr (kIsPlain<Value>) {
      static_assert(std::is_trivially_copyable_v<Value>);
      value = Value{};
      if (!Require(rest_.size() >= sizeof(value))) return;
      std::memcpy(static_cast<void*>(&value), rest_.data(), sizeof(value));
      rest_.remove_prefix(sizeof(value));
    } else {
      if (Require(++depth_ <= kMaxDepth) && is_whole_) VisitFields(*this, value);
      --depth_;
    }
  }
  void TakeOne(bool& value) {
    const auto number = Take<std::uint8_t>();
    value = Require(number <= 1) && number == 1;
  }
  void TakeOne(std::string& text) { text = TakeText(); }
  template <typename Count, typename Period>
  void TakeOne(std::chrono::duration<Count, Period>& duration) {
    duration = std::chrono::duration<Count, Period>(Take<Count>());
  }
  template <typename Value>
  void TakeOne(std::optional<Value>& value) {
    if (Take<bool>()) TakeOne(value.emplace());
  }
  /// Takes memory only for what has come.
  template <typename Value>
  void TakeOne(std::vector<Value>& values) {
    const auto count = Take<std::uint64_t>();
    if (!Require(count <= rest_.size())) return;
    for (std::uint64_t i = 0; i < count && is_whole_; ++i) TakeOne(values.emplace_back());
  }

  std::string_view rest_;
  bool is_whole_ = true;
  int depth_ = 0;
};

/// Whether an enumerator is one of those from 0 to `last`.
template <typename Enum>
constexpr bool IsUpTo(Enum last, Enum value) {
  using Number = std::make_unsigned_t<std::underlying_type_t<Enum>>;
  return static_cast<Number>(value) <= static_cast<Number>(last);
}

template <typename Value>
std::string WriteFields(const Value& value) {
  return Writer().Put(value).Get();
}

/// Nothing: it is not whole, there is more, or it cannot be.
template <typename Value>
std::optional<Value> ReadFields(std::string_view bytes) {
  Reader reader(bytes);
  std::optional<Value> value = reader.Take<Value>();
  if (!reader.IsAtEnd()) value.reset();
  return value;
}

}  // namespace backplane::wire
