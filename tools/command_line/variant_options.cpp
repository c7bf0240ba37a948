#include "command_line/variant_options.hpp"

#include "command_line/usage.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace backplane::command_line {
namespace {

namespace fs = std::filesystem;

/// A name without slash is a glob of file names and stays what it is.
std::string ReadFile(const std::string& text) {
  if (text.find('/') == std::string::npos) return text;
  std::error_code error;
  const fs::path file = fs::canonical(text, error);
  if (!error) return file.string();
  const fs::path absolute = fs::absolute(text, error);
  return error ? text : absolute.string();
}

VariantPin ReadPin(const std::string& command, const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool is_pin = equals != std::string::npos && equals != 0 && equals + 1 < text.size();
  if (!is_pin) {
    ThrowUsage(command, "--variant", "--variant cannot be \"" + text + "\"",
               "found \"" + text +
                   "\", expected ID=FILE: a backend id, and a path or a glob of "
                   "file names",
               "give for example --variant 'Npu=Acme_NpuV3_*'");
  }
  return {text.substr(0, equals), ReadFile(text.substr(equals + 1))};
}

}  // namespace

void AddVariantOptions(CLI::App& app, std::vector<VariantPin>& pins) {
  app.add_option_function<std::vector<std::string>>(
         "--variant",
         [command = app.get_name(), &pins](const std::vector<std::string>& texts) {
           for (const std::string& text : texts) pins.push_back(ReadPin(command, text));
         },
         "Use FILE for the backend ID when several files give\nit: a path (with a slash) or a "
         "glob of file names;\ncan be repeated")
      ->type_name("ID=FILE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace backplane::command_line
