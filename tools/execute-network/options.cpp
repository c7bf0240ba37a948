#include "options.hpp"

#include <backplane/api/backend_version.hpp>
#include <backplane/host/diagnostic.hpp>

#include "shape_text.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace backplane::execute_network {
namespace {

constexpr char kFooter[] =
    "Inputs without data get seeded values, the same in every run.\n"
    "Outputs agree when |a-b| <= A + M*max|b| + R*|b|, integers when they are equal.\n"
    "\n"
    "Exit codes:\n"
    "  0   ran, and all that was compared agreed\n"
    "  1   something differed\n"
    "  2   the model could not be loaded, placed or run\n"
    "  64  the command was called wrongly\n"
    "\n"
    "Environment:\n"
    "  BACKPLANE_DISABLE_BACKENDS  ids or file-name globs, separated by commas, as --disable\n"
    "  BACKPLANE_LOG               log levels, as --log-level; default: warning\n"
    "  NO_COLOR                    no colour, also on a terminal";

/// Options of the form NAME=VALUE, as they were given.
struct Assignments {
  std::vector<std::string> inputs;
  std::vector<std::string> expected;
  std::vector<std::string> shapes;
};

[[noreturn]] void ThrowUsage(const std::string& what, const std::string& why) {
  throw DiagnosticException({DiagnosticCode::kUsageError,
                             Severity::kError,
                             {SubjectKind::kOption, ""},
                             what,
                             why,
                             "run execute-network --help to see how it is called",
                             {}});
}

// The name of a tensor may contain '=', a file name hardly: the last one separates.
std::map<std::string, std::string> Split(const std::string& option, const std::string& form,
                                         const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> values;
  for (const std::string& assignment : assignments) {
    const std::size_t separator = assignment.rfind('=');
    if (separator == std::string::npos || separator == 0 || separator + 1 == assignment.size()) {
      ThrowUsage(option + " cannot be read",
                 "found \"" + assignment + "\"; the form is " + option + " " + form);
    }
    const std::string name = assignment.substr(0, separator);
    if (!values.emplace(name, assignment.substr(separator + 1)).second) {
      ThrowUsage(option + " is given twice for " + name, "each name may be given once");
    }
  }
  return values;
}

std::map<std::string, TensorShape> ReadShapes(const std::vector<std::string>& assignments) {
  std::map<std::string, TensorShape> shapes;
  for (const auto& [name, text] : Split("--shape", "NAME=1x3x224x224", assignments)) {
    const auto shape = ParseShape(text);
    if (!shape) {
      ThrowUsage("the shape of " + name + " cannot be read",
                 "found \"" + text + "\"; expected are at most " + std::to_string(kMaxRank) +
                     " extents as in 1x3x224x224, or scalar");
    }
    shapes.emplace(name, *shape);
  }
  return shapes;
}

void DefineRunOptions(CLI::App& app, Options& options, Assignments& assignments) {
  app.add_option("MODEL", options.model, "The model, an ONNX file")->required();
  app.add_option("--backends", options.backends,
                 "Backends in the order of preference; without it every available one, by rank")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  app.add_option("--backends-path", options.backends_path,
                 "Take dynamic backends from this folder and from nowhere else")
      ->type_name("DIR");
  app.add_option("--disable", options.disabled, "Do not open a backend: its id or file name")
      ->allow_extra_args(false)
      ->type_name("X");
  app.add_option("--input", assignments.inputs, "Data for an input")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.pb");
  app.add_option("--shape", assignments.shapes, "The shape of an input that the model leaves open")
      ->allow_extra_args(false)
      ->type_name("NAME=1x3x224x224");
  app.add_option("--iterations", options.iterations, "Measured runs")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--warmup", options.warmup, "Runs before those")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  app.add_flag("--strict", options.is_strict,
               "A backend asked for one layer that refuses it is an error");
}

void DefineComparisonOptions(CLI::App& app, Options& options, Assignments& assignments) {
  app.add_option("--expect", assignments.expected, "What an output is compared with")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE.pb");
  app.add_option("--test-data", options.test_data,
                 "A folder of input_K.pb and output_K.pb, or of folders test_data_set_*")
      ->type_name("DIR");
  const auto define = [&](const char* name, double& value, const char* text) {
    app.add_option(name, value, text)->check(CLI::NonNegativeNumber)->capture_default_str();
  };
  define("--atol", options.tolerance.absolute, "A: absolute tolerance");
  define("--rtol", options.tolerance.relative, "R: tolerance relative to each value");
  define("--tolerance-of-max", options.tolerance.of_max, "M: relative to the largest value");
}

void DefineReportOptions(CLI::App& app, Options& options) {
  const std::map<std::string, ReportFormat> formats = {{"text", ReportFormat::kText},
                                                       {"json", ReportFormat::kJson}};
  app.add_option("--output-dir", options.output_dir, "Write the outputs here, as output_K.pb")
      ->type_name("DIR");
  app.add_flag("--explain", options.is_explaining, "Show each layer with every refusal");
  app.add_option("--format", options.format, "text or json")
      ->transform(CLI::CheckedTransformer(formats, CLI::ignore_case).description(""))
      ->type_name("FORMAT");
  app.add_option("--log-level", options.log_levels, "Such as debug, or discovery=debug,*=warning")
      ->type_name("LEVELS");
  app.add_option("--log-file", options.log_file, "Write the log here, not to standard error")
      ->type_name("FILE");
}

std::string MakeVersionText() {
  return "execute-network " BACKPLANE_VERSION "\nBackend API " +
         std::to_string(kBackendApiVersion.major) + "." + std::to_string(kBackendApiVersion.minor) +
         ", draft " + std::to_string(BACKPLANE_BACKEND_API_DRAFT);
}

[[noreturn]] void ThrowUnknownOption(const CLI::App& app) {
  std::string unknown;
  for (const std::string& argument : app.remaining()) {
    if (unknown.empty() || argument.rfind('-', 0) == 0) unknown = argument;
  }
  if (unknown.rfind('-', 0) != 0) {
    ThrowUsage("there is one argument too many", "found \"" + unknown + "\" after the model");
  }
  unknown = unknown.substr(0, unknown.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  }
  const std::string nearest = FindNearestName(unknown, known);
  throw DiagnosticException(
      {DiagnosticCode::kUnknownOption,
       Severity::kError,
       {SubjectKind::kOption, unknown},
       "there is no option " + unknown,
       "",
       nearest.empty() ? "run execute-network --help to see all" : "did you mean " + nearest + "?",
       {}});
}

bool Parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    app.exit(success, std::cout, std::cerr);
    return false;
  } catch (const CLI::ExtrasError&) {
    ThrowUnknownOption(app);
  } catch (const CLI::ParseError& error) {
    ThrowUsage("the command line cannot be read", error.what());
  }
  return true;
}

std::string ChooseLogLevels(const std::string& given) {
  if (!given.empty()) return given;
  const char* environment = secure_getenv("BACKPLANE_LOG");
  return environment != nullptr && *environment != '\0' ? environment : "warning";
}

}  // namespace

std::optional<Options> ParseOptions(int argc, char** argv) {
  CLI::App app("Runs an ONNX model on the available backends, and compares what comes out.",
               "execute-network");
  Options options;
  Assignments assignments;
  DefineRunOptions(app, options, assignments);
  DefineComparisonOptions(app, options, assignments);
  DefineReportOptions(app, options);
  app.set_version_flag("--version", MakeVersionText(), "Print the versions and exit");
  app.footer(kFooter);
  app.allow_extras();  // so that what is unknown is known by name
  if (!Parse(app, argc, argv)) return {};
  if (!app.remaining().empty()) ThrowUnknownOption(app);
  options.input_files = Split("--input", "NAME=FILE.pb", assignments.inputs);
  options.expected_files = Split("--expect", "NAME=FILE.pb", assignments.expected);
  options.shapes = ReadShapes(assignments.shapes);
  if (!options.backends_path.empty()) {
    options.backends_path =
        std::filesystem::absolute(options.backends_path).lexically_normal().string();
  }
  options.log_levels = ChooseLogLevels(options.log_levels);
  return options;
}

}  // namespace backplane::execute_network
