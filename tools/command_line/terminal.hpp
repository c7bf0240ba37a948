#pragma once

#include <cstddef>
#include <string>

namespace backplane::command_line {

/// What the place that results go to can show.
struct Terminal {
  std::size_t width = 80;
  bool has_colour = false;
  bool has_utf8 = false;
};

/// Asks the descriptor and the environment (NO_COLOR, TERM, the locale).
Terminal DescribeTerminal(int descriptor);

enum class Colour { kNone, kGood, kDoubtful, kBad, kHeading };

/// The text in a colour, when the terminal has any.
std::string Paint(const Terminal& terminal, Colour colour, const std::string& text);

/// Breaks a text at spaces to lines of the terminal's width, each with a newline. The first begins
/// with `label` indented by `indent`; the others begin below the first word behind it. Words longer
/// than a line, such as paths, are not broken. Bytes that cannot be printed are escaped.
std::string WrapBehindLabel(const Terminal& terminal, std::size_t indent, const std::string& label,
                            const std::string& text);

/// How many columns a UTF-8 text takes, one for each character.
std::size_t MeasureColumns(const std::string& text);

}  // namespace backplane::command_line
