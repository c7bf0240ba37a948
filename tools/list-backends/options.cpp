#include "options.hpp"

#include "exit_code.hpp"

#include <backplane/api/backend_version.hpp>

#include <CLI/CLI.hpp>

#include <map>

namespace backplane::list_backends {
namespace {

constexpr char kDescription[] =
    "Finds compute backends, says which can be used, and what is wrong with the others.";

constexpr char kFooter[] =
    "Exit codes:\n"
    "  0   at least one backend is usable and none was rejected\n"
    "  1   some are usable, some were rejected\n"
    "  2   none is usable, or a PATH does not exist\n"
    "  64  the command was called wrongly\n"
    "\n"
    "Environment:\n"
    "  BACKPLANE_DISABLE_BACKENDS  ids or file-name globs, separated by commas, as --disable\n"
    "  BACKPLANE_LOG               log levels, as --log-level\n"
    "  NO_COLOR                    no colour, also on a terminal";

/// Accepts the modes there are; says what to use instead of one that is not built yet.
std::string CheckProbeMode(const std::string& mode) {
  if (mode == "inspect" || mode == "in-process") return "";
  if (mode == "child") {
    return "child is not available in this version; use --probe in-process, which runs the "
           "backends' code in this process, or --probe inspect, which only reads their files";
  }
  return mode + " not in {inspect,in-process}";
}

std::string GetVersionText() {
  return "list-backends " BACKPLANE_VERSION "\nBackend API " +
         std::to_string(kBackendApiVersion.major) + '.' + std::to_string(kBackendApiVersion.minor) +
         ", draft " + std::to_string(BACKPLANE_BACKEND_API_DRAFT);
}

/// What an option is set to as text, before it becomes a value of an enum.
struct RawOptions {
  std::string format = "table";
  std::string probe = "in-process";
  bool is_all = false;
};

void Declare(CLI::App& app, Options& options, RawOptions& raw) {
  app.add_option("PATH", options.paths,
                 "Directories or files; default: the paths that were compiled in")
      ->type_name("");
  app.add_option("--format", raw.format, "How results are written; default: table")
      ->check(CLI::IsMember({"table", "json"}).description(""))
      ->type_name("table|json");
  app.add_flag("--all", raw.is_all, "Also show files skipped because of their names");
  app.add_option("--explain", options.explain, "Every stage of one backend, by its file or id")
      ->type_name("FILE_OR_ID");
  app.add_option("--probe", raw.probe,
                 "Only read files, or also run their code in this\n"
                 "process; default: in-process")
      ->check(CLI::Validator(CheckProbeMode, ""))
      ->type_name("inspect|in-process");
  app.add_option("--disable", options.disabled,
                 "A backend id or file-name glob not to open; can\nbe repeated")
      ->type_name("X")
      ->expected(1)
      ->take_all();
  app.add_option("--log-level", options.log_level,
                 "trace, debug, info, warning, error or off, or a\n"
                 "list such as discovery=debug,*=warning")
      ->type_name("LEVELS");
  app.add_option("--log-file", options.log_file, "Where the log goes; default: standard error")
      ->type_name("FILE");
  app.set_version_flag("--version", GetVersionText(), "Print versions and exit");
}

std::string GetHelpText(const CLI::App& app) {
  std::string text = app.help();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

ParsedCommandLine EndWithUsageError(const std::string& problem) {
  ParsedCommandLine parsed;
  parsed.text = "list-backends: " + problem + "\nSee list-backends --help.";
  parsed.exit_code = kExitUsage;
  return parsed;
}

}  // namespace

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv) {
  Options options;
  RawOptions raw;
  CLI::App app(kDescription, "list-backends");
  app.footer(kFooter);
  Declare(app, options, raw);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {std::nullopt, GetHelpText(app), kExitUsable};
  } catch (const CLI::CallForVersion&) {
    return {std::nullopt, GetVersionText(), kExitUsable};
  } catch (const CLI::ParseError& error) {
    return EndWithUsageError(error.what());
  }
  for (const std::string& path : options.paths) {
    if (path.empty()) return EndWithUsageError("a PATH is empty");
  }
  options.format = raw.format == "json" ? Format::kJson : Format::kTable;
  options.probe = raw.probe == "inspect" ? ProbeMode::kInspect : ProbeMode::kInProcess;
  options.skipped_files = raw.is_all ? SkippedFiles::kShow : SkippedFiles::kHide;
  return {options, "", kExitUsable};
}

}  // namespace backplane::list_backends
