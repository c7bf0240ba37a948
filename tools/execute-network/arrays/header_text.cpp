#include "arrays/header_text.hpp"

#include "files/data_file.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace backplane::execute_network {

void HeaderText::SkipBlanks() {
  next_ = std::min(text_.find_first_not_of(" \t\r\n", next_), text_.size());
}

bool HeaderText::Take(char character) {
  SkipBlanks();
  if (next_ == text_.size() || text_[next_] != character) return false;
  ++next_;
  return true;
}

bool HeaderText::TakeWord(std::string_view word) {
  SkipBlanks();
  if (text_.substr(next_, word.size()) != word) return false;
  next_ += word.size();
  return true;
}

void HeaderText::Expect(char character) {
  if (!Take(character)) Refuse(DescribeNext(), std::string(1, character));
}

void HeaderText::ExpectEnd() {
  SkipBlanks();
  if (next_ != text_.size()) Refuse(DescribeNext(), "its end");
}

std::string HeaderText::ReadString() {
  const char quote = Take('"') ? '"' : '\'';
  if (quote == '\'') Expect(quote);
  const std::size_t end = text_.find(quote, next_);
  if (end == std::string_view::npos) Refuse("a string without an end", std::string(1, quote));
  const std::string string(text_.substr(next_, end - next_));
  if (string.find('\\') != std::string::npos) Refuse("a backslash", "a string without one");
  next_ = end + 1;
  return string;
}

std::string HeaderText::ReadDataType() {
  SkipBlanks();
  if (text_.substr(next_, 1) == "[") {
    ThrowUnreadable(path_, "its elements are structures; supported are numbers and bool",
                    "save one field of it");
  }
  return ReadString();
}

bool HeaderText::ReadBool() {
  if (TakeWord("True")) return true;
  if (!TakeWord("False")) Refuse(DescribeNext(), "True or False");
  return false;
}

std::int64_t HeaderText::ReadNumber() {
  SkipBlanks();
  const char* const begin = text_.data() + next_;
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), number);
  if (error == std::errc::result_out_of_range) Refuse("a number over 2^63", "an extent");
  if (error != std::errc() || number < 0) Refuse(DescribeNext(), "an extent of at least 0");
  next_ += static_cast<std::size_t>(rest - begin);
  return number;
}

std::vector<std::int64_t> HeaderText::ReadTuple() {
  std::vector<std::int64_t> numbers;
  Expect('(');
  while (!Take(')')) {
    numbers.push_back(ReadNumber());
    const bool has_comma = Take(',');
    if (has_comma) continue;
    if (numbers.size() == 1) Refuse(DescribeNext(), ", behind the only extent");
    Expect(')');
    break;
  }
  return numbers;
}

std::string HeaderText::DescribeNext() const {
  constexpr std::size_t kMaxShown = 16;
  if (next_ == text_.size()) return "its end";
  return "\"" + EscapeForDisplay(text_.substr(next_, kMaxShown)) + "\"";
}

void HeaderText::Refuse(const std::string& found, const std::string& expected) const {
  ThrowUnreadable(path_,
                  "found " + found + " at byte " + std::to_string(next_) +
                      " of its header, expected " + expected,
                  "write it with numpy.save");
}

}  // namespace backplane::execute_network
