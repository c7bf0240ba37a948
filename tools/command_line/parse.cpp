#include "command_line/parse.hpp"

#include "command_line/usage.hpp"

#include <backplane/api/backend_version.hpp>
#include <backplane/host/diagnostic.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

namespace backplane::command_line {
namespace {

bool IsOptionLike(const std::string& argument) {
  return argument.size() > 1 && argument.front() == '-' && argument != "--";
}

[[noreturn]] void ThrowUnknownOption(const CLI::App& app, const std::string& argument) {
  const std::string unknown = argument.substr(0, argument.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string nearest = FindNearestName(unknown, known);
  Diagnostic diagnostic{DiagnosticCode::kUnknownOption};
  diagnostic.subject = {SubjectKind::kOption, unknown};
  diagnostic.what = "there is no option " + unknown;
  diagnostic.fix = nearest.empty() ? "run " + app.get_name() + " --help to see all"
                                   : "did you mean " + nearest + "?";
  throw DiagnosticException(diagnostic);
}

void RefuseUnknownOptions(const CLI::App& app) {
  const std::vector<std::string> rest = app.remaining();
  const auto unknown = std::find_if(rest.begin(), rest.end(), IsOptionLike);
  if (unknown != rest.end()) ThrowUnknownOption(app, *unknown);
}

void RefuseRemaining(const CLI::App& app) {
  RefuseUnknownOptions(app);
  if (app.remaining().empty()) return;
  ThrowUsage(app.get_name(), "", "there is one argument too many",
             "found \"" + app.remaining().back() + "\", which belongs to no option");
}

void RefuseEmptyPaths(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string kind = option->get_type_name();
    const bool is_path = kind == "FILE" || kind == "DIR" || kind == "PROGRAM";
    const auto& given = option->results();
    if (!is_path || std::find(given.begin(), given.end(), "") == given.end()) continue;
    ThrowUsage(
        app.get_name(), option->get_name(), option->get_name() + " is an empty path",
        "found \"\", expected the path of a " + std::string(kind == "DIR" ? "directory" : "file"));
  }
}

// The text of the library begins with the option and a colon.
[[noreturn]] void ThrowMismatch(const CLI::App& app, const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) ThrowUsage(app.get_name(), "", "the command line cannot be read", text);
  if (option->count() == 0) {
    ThrowUsage(app.get_name(), name, name + " needs a value",
               "found none, expected " + option->get_type_name());
  }
  ThrowUsage(app.get_name(), name, name + " is given too often",
             "found " + std::to_string(option->count()) + " values, expected one");
}

// The library ends its help with empty lines.
std::string GetHelpText(const CLI::App& app) {
  std::string text = app.help();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace

std::string MakeVersionText(const std::string& command, const std::string& version) {
  return command + " " + version + "\nBackend API " + std::to_string(kBackendApiVersion.major) +
         "." + std::to_string(kBackendApiVersion.minor) + ", draft " + std::to_string(BP_API_DRAFT);
}

bool Parse(CLI::App& app, int argc, const char* const* argv) {
  app.allow_extras();  // so that what is unknown is known by name
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << GetHelpText(app) << '\n';
    return false;
  } catch (const CLI::CallForVersion& version) {
    std::cout << version.what() << '\n';
    return false;
  } catch (const CLI::ArgumentMismatch& error) {
    RefuseUnknownOptions(app);
    ThrowMismatch(app, error);
  } catch (const CLI::ParseError& error) {
    RefuseUnknownOptions(app);  // which may be why something else is missing
    ThrowUsage(app.get_name(), "", "the command line cannot be read", error.what());
  }
  RefuseRemaining(app);
  RefuseEmptyPaths(app);
  return true;
}

}  // namespace backplane::command_line
