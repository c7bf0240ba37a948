#include "command_line/terminal.hpp"

#include <backplane/host/diagnostic.hpp>

#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <sstream>

namespace backplane::command_line {
namespace {

// Below this, one word on a line is easier to read than none.
constexpr std::size_t kLeastTextColumns = 20;

const char* GetEscapeSequence(Colour colour) {
  switch (colour) {
    case Colour::kNone:
      return "";
    case Colour::kGood:
      return "\033[32m";
    case Colour::kDoubtful:
      return "\033[33m";
    case Colour::kBad:
      return "\033[31m";
    case Colour::kHeading:
      return "\033[1m";
  }
  return "";
}

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool IsDumbTerminal() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string(term) == "dumb";
}

}  // namespace

Terminal DescribeTerminal(int descriptor) {
  Terminal terminal;
  std::setlocale(LC_CTYPE, "");
  terminal.has_utf8 = std::string(nl_langinfo(CODESET)) == "UTF-8";
  if (isatty(descriptor) == 0) return terminal;
  terminal.has_colour = !IsSet("NO_COLOR") && !IsDumbTerminal();
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.width = size.ws_col;
  return terminal;
}

std::string Paint(const Terminal& terminal, Colour colour, const std::string& text) {
  if (!terminal.has_colour || colour == Colour::kNone) return text;
  return GetEscapeSequence(colour) + text + "\033[0m";
}

std::string WrapBehindLabel(const Terminal& terminal, std::size_t indent, const std::string& label,
                            const std::string& text) {
  std::string wrapped = std::string(indent, ' ') + label;
  const std::size_t left = MeasureColumns(wrapped);
  const std::size_t right = std::max(terminal.width, left + kLeastTextColumns);
  std::size_t column = left;
  std::istringstream words(EscapeForDisplay(text));
  for (std::string word; words >> word;) {
    const std::size_t columns = MeasureColumns(word);
    if (column > left && column + 1 + columns > right) {
      wrapped += '\n' + std::string(left, ' ');
      column = left;
    } else if (column > left) {
      wrapped += ' ';
      ++column;
    }
    wrapped += word;
    column += columns;
  }
  return wrapped + '\n';
}

std::size_t MeasureColumns(const std::string& text) {
  const auto begins_character = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

}  // namespace backplane::command_line
