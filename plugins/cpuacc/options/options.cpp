#include "options/options.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>

namespace backplane {
namespace cpuacc {
namespace {

constexpr int kMostThreads = 1024;

OptionSchema MakeSchema(const char* name, OptionValue default_value, const char* text) {
  OptionSchema schema;
  schema.name = name;
  schema.type = default_value.type;
  schema.default_value = std::move(default_value);
  schema.text = text;
  return schema;
}

Winograd ToWinograd(const std::string& text) {
  if (text == "off") return Winograd::kOff;
  return text == "on" ? Winograd::kOn : Winograd::kAuto;
}

}  // namespace

std::vector<OptionSchema> GetSchemas() {
  OptionSchema threads = MakeSchema(
      "threads", 0, "Threads that run one network; 0: one for each processor that may be used.");
  threads.has_range = 1;
  threads.minimum = 0;
  threads.maximum = kMostThreads;
  OptionSchema winograd = MakeSchema(
      "winograd", "auto",
      "Convolutions by Winograd's algorithm: auto where it is faster when timed, on, or off.");
  winograd.allowed_strings = {"auto", "on", "off"};
  return {
      threads,
      MakeSchema("processors", "",
                 "The processors on which threads run that help the caller, as in 0,2-3; "
                 "empty: those that the caller may use."),
      MakeSchema(
          "fast_math", false,
          "Lets products of float32 round what they read to bfloat16 where the processor has AMX."),
      MakeSchema("rounding", true,
                 "Lets products round rows to int8 by blocks where the model allows it, as "
                 "MatMulNBits with accuracy_level 4 does."),
      winograd,
      MakeSchema("cache_directory", "",
                 "A directory in which what was found out when networks were compiled is kept; "
                 "empty: only what the host keeps."),
      MakeSchema("without_passes", "",
                 "What is not done to networks before they are compiled: names of passes, with "
                 "commas between them, to find the one that is wrong, or what one gains.")};
}

Options ReadOptions(const BackendOptions& options) {
  Options read;
  for (const BackendOption& option : options.options) {
    if (option.name == "threads") read.num_threads = static_cast<int>(option.value.int_value);
    if (option.name == "processors") read.processors = ReadProcessors(option.value.string_value);
    if (option.name == "fast_math") read.fast_math = option.value.int_value != 0;
    if (option.name == "rounding") read.rounding = option.value.int_value != 0;
    if (option.name == "winograd") read.winograd = ToWinograd(option.value.string_value);
    if (option.name == "cache_directory") read.cache_directory = option.value.string_value;
    if (option.name == "without_passes") read.without_passes = option.value.string_value;
  }
  return read;
}

int CountThreads(const Options& options) {
  const int num_processors =
      options.processors.empty() ? CountProcessors() : static_cast<int>(options.processors.size());
  const int wanted = options.num_threads > 0 ? options.num_threads : num_processors;
  return std::clamp(omp_get_thread_limit(), 1, wanted);
}

}  // namespace cpuacc
}  // namespace backplane
