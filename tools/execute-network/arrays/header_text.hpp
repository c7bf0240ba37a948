#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace backplane::execute_network {

/// Reads the literal of a Python dictionary, part by part. Blanks between parts are skipped.
/// Errors of all functions: DiagnosticException with kTensorFileUnreadable, which says at which
/// byte what was found and what is expected.
class HeaderText {
 public:
  /// Keeps a reference to what `text` and `path` refer to.
  HeaderText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  /// Whether the next character is this one, which is then behind.
  bool Take(char character);
  void Expect(char character);
  void ExpectEnd();
  /// Between quotes of either kind, without escapes.
  std::string ReadString();
  /// As ReadString; what is no string is refused as a structured type.
  std::string ReadDataType();
  bool ReadBool();
  /// Whole numbers that are not negative: (), (3,), (3, 4).
  std::vector<std::int64_t> ReadTuple();

  [[noreturn]] void Refuse(const std::string& found, const std::string& expected) const;

 private:
  void SkipBlanks();
  bool TakeWord(std::string_view word);
  std::int64_t ReadNumber();
  std::string DescribeNext() const;

  std::string_view text_;
  const std::string& path_;
  std::size_t next_ = 0;
};

}  // namespace backplane::execute_network
