#pragma once

/// Structs as bytes. A function in the namespace of a struct lists its fields, once for both ways:
///   template <typename Fields>
///   void VisitFields(Fields& fields, Stamp& stamp) {
///     fields(stamp.size_bytes, stamp.path);
///   }
/// A field is a number, an enumerator, a duration, a text, a struct with such a list, or a vector
/// or an optional of these.

#include "wire/message.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace backplane::wire {

/// Written as it lies in memory. A specialisation makes a struct such a one: it has no pointers.
template <typename Value>
constexpr bool kIsPlain = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;

class FieldWriter {
 public:
  explicit FieldWriter(Writer& writer) : writer_(writer) {}

  template <typename... Values>
  void operator()(const Values&... values) {
    (Put(values), ...);
  }

  /// Nothing is refused that is written.
  bool Require(bool /*can_be*/) { return true; }

 private:
  template <typename Value>
  void Put(const Value& value) {
    if constexpr (kIsPlain<Value>) {
      writer_.Put(value);
    } else {
      VisitFields(*this, const_cast<Value&>(value));  // the list takes what a reader changes
    }
  }
  void Put(const std::string& text) { writer_.PutText(text); }
  template <typename Count, typename Period>
  void Put(const std::chrono::duration<Count, Period>& duration) {
    writer_.Put(duration.count());
  }
  template <typename Value>
  void Put(const std::optional<Value>& value) {
    Put(value.has_value());
    if (value) Put(*value);
  }
  template <typename Value>
  void Put(const std::vector<Value>& values) {
    writer_.Put(static_cast<std::uint64_t>(values.size()));
    for (const Value& value : values) Put(value);
  }

  Writer& writer_;
};

/// If the reader is whole afterwards, so are the fields, and all of them can be.
class FieldReader {
 public:
  explicit FieldReader(Reader& reader) : reader_(reader) {}

  template <typename... Values>
  void operator()(Values&... values) {
    (Take(values), ...);
  }

  /// Refuses what was read, if it cannot be. False: it cannot.
  bool Require(bool can_be) {
    if (!can_be) reader_.Refuse();
    return can_be;
  }

 private:
  static constexpr int kMaxDepth = 32;  // of structs in structs

  template <typename Value>
  void Take(Value& value) {
    if constexpr (kIsPlain<Value>) {
      value = reader_.Take<Value>();
    } else {
      Require(++depth_ <= kMaxDepth);
      if (reader_.IsWhole()) VisitFields(*this, value);
      --depth_;
    }
  }
  void Take(bool& value) {
    const auto number = reader_.Take<std::uint8_t>();
    Require(number <= 1);
    value = number == 1;
  }
  void Take(std::string& text) { text = reader_.TakeText(); }
  template <typename Count, typename Period>
  void Take(std::chrono::duration<Count, Period>& duration) {
    duration = std::chrono::duration<Count, Period>(reader_.Take<Count>());
  }
  template <typename Value>
  void Take(std::optional<Value>& value) {
    bool has_value = false;
    Take(has_value);
    if (has_value) Take(value.emplace());
  }
  /// Takes memory only for what has come.
  template <typename Value>
  void Take(std::vector<Value>& values) {
    const std::size_t count = reader_.TakeCount(1);
    for (std::size_t i = 0; i < count && reader_.IsWhole(); ++i) Take(values.emplace_back());
  }

  Reader& reader_;
  int depth_ = 0;
};

/// Whether an enumerator is one of those from 0 to `last`.
template <typename Enum>
constexpr bool IsUpTo(Enum last, Enum value) {
  using Number = std::make_unsigned_t<std::underlying_type_t<Enum>>;
  return static_cast<Number>(value) <= static_cast<Number>(last);
}

template <typename Value>
void PutFields(Writer& writer, const Value& value) {
  FieldWriter fields(writer);
  fields(value);
}

/// Empty fields where the reader is not whole afterwards.
template <typename Value>
Value TakeFields(Reader& reader) {
  Value value{};
  FieldReader fields(reader);
  fields(value);
  return value;
}

template <typename Value>
std::string WriteFields(const Value& value) {
  Writer writer;
  PutFields(writer, value);
  return writer.Get();
}

/// Nothing: it is not whole, there is more, or it cannot be.
template <typename Value>
std::optional<Value> ReadFields(std::string_view bytes) {
  Reader reader(bytes);
  std::optional<Value> value = TakeFields<Value>(reader);
  if (!reader.IsAtEnd()) value.reset();
  return value;
}

}  // namespace backplane::wire
