#include "options/options.hpp"

#include "command_line/parse.hpp"
#include "command_line/scan_options.hpp"
#include "command_line/values.hpp"
#include "options/assignments.hpp"

#include <filesystem>

namespace backplane::execute_network {
namespace {

constexpr char kCommand[] = "execute-network";
constexpr char kFooter[] =
    "Inputs without data get seeded values, the same in every run.\n"
    "Outputs agree when |a-b| <= A + M*max|b| + R*|b|, integers when they are equal.\n"
    "\n"
    "Exit codes:\n"
    "  0   ran, and all that was compared agreed\n"
    "  1   something differed\n"
    "  2   the model could not be loaded, placed or run\n"
    "  3   a run did not come back, and the command ended without it\n"
    "  4   it would have been 0, but there is a warning and --fail-on-warning was given\n"
    "  64  the command was called wrongly\n"
    "\n"
    "Environment:\n";

/// The options --image-...
void DefineImageOptions(CLI::App& app, ImageOptions& options) {
  constexpr std::size_t kMaxChannels = 4;
  command_line::AddNumbers(
      app, "--image-scale", options.scale, kMaxChannels, command_line::NumberSign::kAny,
      "Images: what pixels, from 0 to 255, are multiplied\nby; one number or one for each channel; "
      "default:\n1/255 for floats, 1 for integers");
  command_line::AddNumbers(app, "--image-mean", options.mean, kMaxChannels,
                           command_line::NumberSign::kAny,
                           "Images: what is taken off then; default: 0");
  command_line::AddNumbers(app, "--image-std", options.deviation, kMaxChannels,
                           command_line::NumberSign::kPositive,
                           "Images: what is divided by then; default: 1");
  command_line::AddChoice<ChannelOrder>(app, "--image-order", options.order,
                                        {{"rgb", ChannelOrder::kRgb}, {"bgr", ChannelOrder::kBgr}},
                                        "Images: the order of channels; default: rgb");
  command_line::AddChoice<std::optional<ImageLayout>>(
      app, "--image-layout", options.layout,
      {{"nchw", ImageLayout::kNchw}, {"nhwc", ImageLayout::kNhwc}},
      "Images: where channels stand; default: as the\nshape of the input says");
  command_line::AddChoice<ImageResize>(
      app, "--image-resize", options.resize,
      {{"none", ImageResize::kNone},
       {"stretch", ImageResize::kStretch},
       {"crop", ImageResize::kCrop}},
      "Images of other extents than the input: an error,\nor scaled, the "
      "whole of them or the middle;\ndefault: none");
}

void DefineBackendOptions(CLI::App& app, Options& options, Assignments& assignments) {
  app.add_option("--backends", options.backends,
                 "Backends in the order of preference; without it\nevery available one, by rank")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  app.add_option("--layer-backend", assignments.layer_backends,
                 "The backend for layers, by a glob over their\nnames; of several for a layer, the "
                 "last holds;\nwhen it refuses, --backends applies")
      ->allow_extra_args(false)
      ->type_name("PATTERN=ID");
  app.add_flag_callback(
      "--strict",
      [&options] {
        options.hints = HintPolicy::kStrict;
        options.policy = PreferencePolicy::kStrict;
      },
      "A layer that the backend of its --layer-backend\nrefuses is an error, and "
      "--backends decides also\nwhere crossing costs more than it saves");
  command_line::AddByteCount(app, "--max-copied-bytes", options.max_copied_bytes,
                             "A plan that copies more bytes in one run, inputs\nand outputs "
                             "included, is an error");
  app.add_option("--option", assignments.backend_options,
                 "An option of a backend; list-backends --explain ID\nshows which it has")
      ->allow_extra_args(false)
      ->type_name("ID:NAME=VALUE");
  app.add_option("--compiled-cache", options.compiled_cache,
                 "Keep what backends find out when they compile here,\nand take it from here")
      ->type_name("DIR");
  app.add_option("--backends-path", options.backends_path,
                 "Take dynamic backends from this folder and from\nnowhere else")
      ->type_name("DIR");
  command_line::AddUserOption(app, options.user_backends);
  app.add_option("--disable", options.disabled, "Do not open a backend: its id or file name")
      ->allow_extra_args(false)
      ->type_name("X");
  app.add_option(
         "--isolate", options.isolated,
         "Run a backend in a process of its own: its id, or a\nglob of ids or of file names")
      ->allow_extra_args(false)
      ->type_name("ID");
  app.add_flag_callback(
      "--sandbox", [&options] { options.sandbox = Sandbox::kRequired; },
      "Processes of --isolate may compute and no more, but\nfor what manifests ask for; without "
      "--isolate all\nbackends run so");
  app.add_flag_callback(
      "--refuse-permissions", [&options] { options.permissions = SandboxPermissions::kRefused; },
      "Refuse what manifests ask for beyond the sandbox");
  command_line::AddChoice<BackendProbe>(
      app, "--probe", options.probe,
      {{"child", BackendProbe::kChild}, {"in-process", BackendProbe::kNone}},
      "Where the code of backends runs first: in a process\nof its own, or in this one; default: "
      "child");
  command_line::AddProbeOptions(app, options.probe_settings);
  command_line::AddVariantOptions(app, options.variants);
  command_line::AddTrustOptions(app, options.trust);
}

void DefineRunOptions(CLI::App& app, Options& options, Assignments& assignments) {
  app.add_option(
         "--input", assignments.inputs,
         "Data for an input: an ONNX tensor (.pb), a NumPy\narray (.npy), or an image (PNG, "
         "PPM, PGM)")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  app.add_option("--shape", assignments.shapes, "The shape of an input that the model leaves open")
      ->allow_extra_args(false)
      ->type_name("NAME=1x3x224x224");
  app.add_option("--constant", assignments.constants,
                 "An input that is the same in every run, so that\nshapes may depend on it: .pb or "
                 ".npy; without\n=FILE from --test-data")
      ->allow_extra_args(false)
      ->type_name("NAME[=FILE]");
  DefineImageOptions(app, options.images);
  command_line::AddCount(app, "--iterations", options.iterations, 1,
                         "Measured runs, of the first data set; each other\none runs once");
  command_line::AddCount(app, "--warmup", options.warmup, 0, "Runs before those, not measured");
  command_line::AddCount(
      app, "--concurrency", options.concurrency, 1,
      "Threads that run the network at once, each\n--warmup and --iterations times");
  command_line::AddOptionalCount(app, "--threads", options.threads, 1,
                                 "Threads of one run, for every backend that has\nthe option "
                                 "threads; --option goes before it");
  command_line::AddOptionalCount(app, "--run-timeout", options.run_timeout_ms, 1,
                                 "How long each run may take; a run that does not end\nis named a "
                                 "second later, and the command ends")
      ->type_name("MILLISECONDS");
  app.add_flag_callback(
      "--check", [&options] { options.checks = kAllChecks; },
      "Look around every layer, and name the one that\nmakes NaN or infinity from finite inputs, "
      "writes into\nmemory that is not its own, gives another result\nwhen it runs again, or "
      "leaves rounding and the like\nchanged; slower");
  command_line::AddChoice<FailurePolicy>(
      app, "--on-failure", options.on_failure,
      {{"fail", FailurePolicy::kFail}, {"elsewhere", FailurePolicy::kPlaceElsewhere}},
      "When a backend fails in a run: that fails, or is\nrepeated, with the network placed again "
      "without the\nbackend; default: fail");
  command_line::AddChoice<MemoryUse>(
      app, "--memory-use", options.memory_use,
      {{"import-else-copy", MemoryUse::kImportElseCopy},
       {"import", MemoryUse::kImport},
       {"copy", MemoryUse::kCopy}},
      "Whether inputs and outputs are used where they lie;\nwith import, what cannot be so is an "
      "error; default:\nimport-else-copy");
}

void DefineComparisonOptions(CLI::App& app, Options& options, Assignments& assignments) {
  app.add_option("--expect", assignments.expected, "What an output is compared with: .pb or .npy")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  app.add_option("--test-data", options.test_data,
                 "A folder of input_K.pb and output_K.pb (or .npy),\nor of folders "
                 "test_data_set_*")
      ->type_name("DIR");
  WantedTolerance& tolerance = options.tolerance;
  command_line::AddTolerance(app, "--atol", tolerance.absolute,
                             "A: absolute tolerance; default: that of the data\ntype, as for the "
                             "next two; 1e-5 for float32");
  command_line::AddTolerance(app, "--rtol", tolerance.relative,
                             "R: tolerance relative to each value;\n1e-3 for float32");
  command_line::AddTolerance(app, "--tolerance-of-max", tolerance.of_max,
                             "M: relative to the largest value;\n1e-4 for float32");
  app.add_option("--compare-layers", options.reference,
                 "Hold the output of every layer against that of\nanother backend, such as CpuRef, "
                 "and name the first\nlayer that differs; slower")
      ->type_name("ID");
  command_line::AddFailOnWarning(app, options.warnings);
}

void DefineReportOptions(CLI::App& app, Options& options) {
  command_line::AddOptionalCount(app, "--top", options.top, 1,
                                 "Show the N best classes of outputs; default: 5\nwith --labels, "
                                 "else none");
  app.add_option("--labels", options.labels_file, "The names of the classes, one in each line")
      ->type_name("FILE");
  app.add_option("--output-dir", options.output_dir,
                 "Write the outputs here, as output_K.pb or .npy")
      ->type_name("DIR");
  command_line::AddChoice<OutputFormat>(
      app, "--output-format", options.output_format,
      {{"pb", OutputFormat::kTensorProto}, {"npy", OutputFormat::kArray}},
      "How they are written; default: pb");
  app.add_flag("--explain", options.is_explaining,
               "Show each layer with every refusal, and what is\ncopied and why; with --trace, "
               "also its time");
  app.add_option("--dot", options.dot_file,
                 "Write the plan as a graph for Graphviz, as in\ndot -Tsvg FILE")
      ->type_name("FILE");
  app.add_option("--trace", options.trace_file,
                 "Measure every layer, and write a Chrome trace for\nPerfetto here")
      ->type_name("FILE");
  command_line::AddChoice<ReportFormat>(
      app, "--format", options.format,
      {{"text", ReportFormat::kText}, {"json", ReportFormat::kJson}},
      "How results are written, and with json what kept\nit from running; default: text");
  command_line::AddLogOptions(app, options.log);
}

}  // namespace

std::optional<Options> ParseOptions(int argc, const char* const* argv) {
  CLI::App app("Runs an ONNX model on the available backends, and compares what comes out.",
               kCommand);
  Options options;
  Assignments assignments;
  app.add_option("MODEL", options.model, "The model, an ONNX file")->required();
  DefineBackendOptions(app, options, assignments);
  DefineRunOptions(app, options, assignments);
  DefineComparisonOptions(app, options, assignments);
  DefineReportOptions(app, options);
  app.set_version_flag("--version", command_line::MakeVersionText(kCommand, BACKPLANE_VERSION),
                       "Print the versions and exit");
  app.footer(kFooter + command_line::DescribeVariables());
  if (!command_line::Parse(app, argc, argv)) return {};
  ReadAssignments(kCommand, assignments, options);
  for (std::string* path : {&options.backends_path, &options.compiled_cache, &options.output_dir,
                            &options.dot_file, &options.trace_file}) {
    if (path->empty()) continue;
    *path = std::filesystem::absolute(*path).lexically_normal().string();
  }
  return options;
}

}  // namespace backplane::execute_network
