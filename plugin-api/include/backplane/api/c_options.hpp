#pragma once

/// Options, schemas and capabilities of the C++ headers as values of backend.h, and the other way
/// round. What is made for C points into what it was made from, which must outlive it.

#include <backplane/c/backend.h>
#include <backplane/api/backend_options.hpp>
#include <backplane/api/c_memory.hpp>

#include <cstdint>
#include <deque>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace backplane::c_form {

/// Values in C. What is added stays until the end.
class CValues {
 public:
  bp_value Add(const OptionValue& value) {
    switch (value.type) {
      case OptionType::kBool:
        return {BP_VALUE_BOOL, 0, 1, &value.int_value};
      case OptionType::kInt:
        return {BP_VALUE_INT, 0, 1, &value.int_value};
      case OptionType::kFloat:
        return {BP_VALUE_FLOAT, 0, 1, &value.float_value};
      case OptionType::kString:
        break;
    }
    return {BP_VALUE_TEXT, 0, 1, &texts_.emplace_back(MakeText(value.string_value))};
  }
  bp_value AddCopy(OptionValue value) { return Add(copies_.emplace_back(std::move(value))); }
  /// A list of texts.
  bp_value Add(const std::vector<std::string>& list) {
    std::vector<bp_text>& made = lists_.emplace_back();
    for (const std::string& text : list) made.push_back(MakeText(text));
    return {BP_VALUE_TEXT, 1, made.size(), made.data()};
  }
  /// A list of values of the type of the first.
  /// Errors: std::invalid_argument when they are of several types.
  bp_value AddList(const std::vector<OptionValue>& list) {
    const OptionType type = list.empty() ? OptionType::kInt : list.front().type;
    for (const OptionValue& value : list) {
      if (value.type != type) throw std::invalid_argument("a list has values of several types");
    }
    const auto fill = [&](auto& made, const auto& get) {
      for (const OptionValue& value : list) made.push_back(get(value));
      return static_cast<const void*>(made.data());
    };
    const auto get_number = [](const OptionValue& value) { return value.int_value; };
    const auto get_float = [](const OptionValue& value) { return value.float_value; };
    const auto get_text = [](const OptionValue& value) { return MakeText(value.string_value); };
    switch (type) {
      case OptionType::kBool:
        return {BP_VALUE_BOOL, 1, list.size(), fill(numbers_.emplace_back(), get_number)};
      case OptionType::kInt:
        return {BP_VALUE_INT, 1, list.size(), fill(numbers_.emplace_back(), get_number)};
      case OptionType::kFloat:
        return {BP_VALUE_FLOAT, 1, list.size(), fill(floats_.emplace_back(), get_float)};
      case OptionType::kString:
        break;
    }
    return {BP_VALUE_TEXT, 1, list.size(), fill(lists_.emplace_back(), get_text)};
  }
  const bp_value* Keep(const bp_value& value) { return &values_.emplace_back(value); }

  void Add(const BackendOption& option) {
    named_.push_back({option.name.c_str(), Add(option.value)});
  }
  const std::vector<bp_named_value>& GetNamed() const { return named_; }

 private:
  static bp_text MakeText(const std::string& text) { return {text.data(), text.size()}; }

  std::deque<OptionValue> copies_;
  std::deque<bp_text> texts_;
  std::deque<std::vector<bp_text>> lists_;
  std::deque<std::vector<std::int64_t>> numbers_;
  std::deque<std::vector<double>> floats_;
  std::deque<bp_value> values_;
  std::vector<bp_named_value> named_;
};

inline std::string ToText(const bp_text& text) {
  return {text.data != nullptr ? text.data : "", text.data != nullptr ? text.length : 0};
}

/// The values of a list; one, where it is none.
/// Errors: std::invalid_argument for other types than options have, and for a value that is not
/// there.
inline std::vector<OptionValue> ToValues(const bp_value& value) {
  const auto* const numbers = static_cast<const std::int64_t*>(value.data);
  const bool is_there = value.data != nullptr || value.count == 0;
  std::vector<OptionValue> made;
  for (std::uint64_t i = 0; is_there && i < value.count; ++i) {
    if (value.type == BP_VALUE_BOOL) made.emplace_back(numbers[i] != 0);
    if (value.type == BP_VALUE_INT) made.emplace_back(numbers[i]);
    if (value.type == BP_VALUE_FLOAT) made.emplace_back(static_cast<const double*>(value.data)[i]);
    if (value.type == BP_VALUE_TEXT) {
      made.emplace_back(ToText(static_cast<const bp_text*>(value.data)[i]));
    }
    if (made.size() != i + 1) break;
  }
  if (made.size() == value.count && (value.is_list != 0 || value.count == 1)) return made;
  throw std::invalid_argument("a value has the type " + ToWord(value.type) + " and " +
                              ToWord(value.count) +
                              " elements; bool, int, float and text are possible, and one element "
                              "where it is no list");
}

inline OptionValue ToValue(const bp_value& value) {
  if (value.is_list != 0) throw std::invalid_argument("a value is a list; one is possible");
  return std::move(ToValues(value).front());
}

inline BackendOption ToOption(const bp_named_value& value) {
  if (value.name == nullptr) throw std::invalid_argument("a value has no name");
  return {value.name, ToValue(value.value)};
}

inline std::vector<BackendOption> ToOptions(const bp_named_value* values, std::uint32_t count) {
  std::vector<BackendOption> made;
  for (std::uint32_t i = 0; i < count; ++i) made.push_back(ToOption(values[i]));
  return made;
}

inline bp_option_schema ToC(const OptionSchema& schema, CValues& values) {
  auto made = Make<bp_option_schema>();
  made.flags = schema.places;
  made.name = schema.name.c_str();
  made.text = schema.text.c_str();
  OptionValue initial = schema.default_value;
  initial.type = schema.type;
  made.initial = values.Keep(schema.is_list != 0 ? values.AddList({std::move(initial)})
                                                 : values.AddCopy(std::move(initial)));
  if (schema.has_range != 0) {
    made.least = values.Keep(values.Add(schema.minimum));
    made.greatest = values.Keep(values.Add(schema.maximum));
  }
  if (!schema.allowed_strings.empty()) {
    made.allowed = values.Keep(values.Add(schema.allowed_strings));
  }
  return made;
}

/// A bound of an option; the least or greatest number of its type where none is stated.
inline OptionValue ToBound(const bp_value* bound, OptionType type, bool is_least) {
  if (bound != nullptr) return ToValue(*bound);
  using Ints = std::numeric_limits<std::int64_t>;
  using Floats = std::numeric_limits<double>;
  if (type == OptionType::kInt) return OptionValue(is_least ? Ints::min() : Ints::max());
  return OptionValue(is_least ? Floats::lowest() : Floats::max());
}

inline OptionSchema ToSchema(const bp_option_schema& given) {
  const bp_option_schema from = Copy(given);
  if (from.name == nullptr) throw std::invalid_argument("an option has no name");
  if (from.initial == nullptr || from.initial->count == 0) {
    throw std::invalid_argument(std::string(from.name) +
                                " has no initial value, which also states its type");
  }
  OptionSchema made;
  made.places = from.flags;
  made.name = from.name;
  made.text = from.text != nullptr ? from.text : "";
  const std::vector<OptionValue> initial = ToValues(*from.initial);
  made.default_value = initial.front();
  made.type = made.default_value.type;
  made.is_list = from.initial->is_list;
  made.has_range = from.least != nullptr || from.greatest != nullptr ? 1 : 0;
  if (made.has_range != 0) {
    made.minimum = ToBound(from.least, made.type, true);
    made.maximum = ToBound(from.greatest, made.type, false);
  }
  if (from.allowed != nullptr) {
    const auto* texts = static_cast<const bp_text*>(from.allowed->data);
    for (std::uint64_t i = 0; i < from.allowed->count; ++i) {
      made.allowed_strings.push_back(ToText(texts[i]));
    }
  }
  return made;
}

}  // namespace backplane::c_form
