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

constexpr char kChildIsNotBuilt[] =
    "--probe child is not available in this version. Use --probe in-process, which runs the "
    "backends' code in this process, or --probe inspect, which only reads their files.";

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
                 "Directories to scan, or files; default: the paths that were compiled in");
  app.add_option("--format", raw.format, "How results are written: table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->type_name("FORMAT")
      ->capture_default_str();
  app.add_flag("--all", raw.is_all, "Also show files that were skipped because of their names");
  app.add_option("--explain", options.explain,
                 "Show every stage of one backend: its file, or its id")
      ->type_name("FILE_OR_ID");
  app.add_option("--probe", raw.probe,
                 "How far to go: inspect (read files only) or in-process (also run their code)")
      ->check(CLI::IsMember({"inspect", "in-process", "child"}))
      ->type_name("MODE")
      ->capture_default_str();
  app.add_option("--disable", options.disabled,
                 "A backend id or file-name glob not to open; can be repeated")
      ->type_name("X")
      ->expected(1)
      ->take_all();
  app.add_option("--log-level", options.log_level,
                 "trace, debug, info, warning, error or off; or a list such as "
                 "discovery=debug,*=warning")
      ->type_name("LEVELS");
  app.add_option("--log-file", options.log_file, "Where the log goes; default: standard error")
      ->type_name("FILE");
  app.set_version_flag("--version", GetVersionText(), "Print versions and exit");
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
    return {std::nullopt, app.help(), kExitUsable};
  } catch (const CLI::CallForVersion&) {
    return {std::nullopt, GetVersionText(), kExitUsable};
  } catch (const CLI::ParseError& error) {
    return EndWithUsageError(error.what());
  }
  if (raw.probe == "child") return EndWithUsageError(kChildIsNotBuilt);
  for (const std::string& path : options.paths) {
    if (path.empty()) return EndWithUsageError("a PATH is empty");
  }
  options.format = raw.format == "json" ? Format::kJson : Format::kTable;
  options.probe = raw.probe == "inspect" ? ProbeMode::kInspect : ProbeMode::kInProcess;
  options.skipped_files = raw.is_all ? SkippedFiles::kShow : SkippedFiles::kHide;
  return {options, "", kExitUsable};
}

}  // namespace backplane::list_backends
