#include "options.hpp"

#include "command_line/parse.hpp"
#include "command_line/scan_options.hpp"
#include "command_line/usage.hpp"
#include "command_line/values.hpp"

namespace backplane::list_backends {
namespace {

constexpr char kCommand[] = "list-backends";
constexpr char kDescription[] =
    "Finds compute backends, says which can be used, and what is wrong with the others.";

constexpr char kFooter[] =
    "Exit codes:\n"
    "  0   at least one backend is usable and none was rejected\n"
    "  1   some are usable, some were rejected\n"
    "  2   none is usable, a PATH does not exist, a --variant cannot be followed, or\n"
    "      code of a backend ended the scan (only with --probe in-process)\n"
    "  4   it would have been 0, but there is a warning and --fail-on-warning was given\n"
    "  64  the command was called wrongly\n"
    "\n"
    "Environment:\n";

void DefineOptions(CLI::App& app, Options& options) {
  app.add_option("PATH", options.paths,
                 "Directories or files; default: the places that the\nenvironment, drop-in files "
                 "and Backplane's build name")
      ->type_name("");
  command_line::AddUserOption(app, options.user_backends);
  command_line::AddChoice<Format>(app, "--format", options.format,
                                  {{"table", Format::kTable}, {"json", Format::kJson}},
                                  "How results are written; default: table");
  app.add_flag_callback(
      "--all", [&options] { options.skipped_files = SkippedFiles::kShow; },
      "Also show files skipped because of their names");
  app.add_option("--explain", options.explain, "Every stage of one backend, by its file or id")
      ->type_name("FILE_OR_ID");
  command_line::AddChoice<ProbeMode>(app, "--probe", options.probe,
                                     {{"inspect", ProbeMode::kInspect},
                                      {"child", ProbeMode::kChild},
                                      {"in-process", ProbeMode::kInProcess}},
                                     "Only read files, or run their code too: in a process\n"
                                     "of its own, or in this one; default: child");
  command_line::AddProbeOptions(app, options.probe_settings);
  app.add_option("--disable", options.disabled,
                 "A backend id, or a glob of ids or of file names, not\nto open; can be repeated")
      ->type_name("X")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);  // what follows the value is a PATH
  app.add_option("--as", options.program,
                 "Judge backends beside the libraries of this\nprogram, which will load them")
      ->type_name("PROGRAM");
  command_line::AddVariantOptions(app, options.variants);
  command_line::AddTrustOptions(app, options.trust);
  command_line::AddFailOnWarning(app, options.warnings);
  command_line::AddLogOptions(app, options.log);
  app.set_version_flag("--version", command_line::MakeVersionText(kCommand, BACKPLANE_VERSION),
                       "Print versions and exit");
}

}  // namespace

std::optional<Options> ParseOptions(int argc, const char* const* argv) {
  CLI::App app(kDescription, kCommand);
  app.footer(kFooter + command_line::DescribeVariables());
  Options options;
  DefineOptions(app, options);
  if (!command_line::Parse(app, argc, argv)) return {};
  if (!options.program.empty()) {
    if (auto fault = CheckProgram(options.program)) throw DiagnosticException(std::move(*fault));
  }
  for (const std::string& path : options.paths) {
    if (path.empty()) {
      command_line::ThrowUsage(kCommand, "", "a PATH is empty",
                               "found \"\", expected a directory or a file");
    }
  }
  return options;
}

}  // namespace backplane::list_backends
