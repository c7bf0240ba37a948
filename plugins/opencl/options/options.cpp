#include "options/options.hpp"

#include <utility>

namespace backplane {
namespace opencl {
namespace {

OptionSchema MakeSchema(const char* name, OptionValue default_value, const char* text,
                        std::vector<std::string> allowed = {}) {
  OptionSchema schema;
  schema.name = name;
  schema.type = default_value.type;
  schema.default_value = std::move(default_value);
  schema.allowed_strings = std::move(allowed);
  schema.text = text;
  return schema;
}

MemoryChoice ToMemoryChoice(const std::string& text) {
  if (text == "device") return MemoryChoice::kDevice;
  return text == "host-visible" ? MemoryChoice::kHostVisible : MemoryChoice::kAuto;
}

QueuePriority ToQueuePriority(const std::string& text) {
  if (text == "low") return QueuePriority::kLow;
  if (text == "medium") return QueuePriority::kMedium;
  return text == "high" ? QueuePriority::kHigh : QueuePriority::kDefault;
}

void ReadOption(const BackendOption& option, Options& read) {
  const std::string& text = option.value.string_value;
  if (option.name == "library") read.library = text;
  if (option.name == "platform") read.platform = text;
  if (option.name == "device") read.device = text;
  if (option.name == "memory") read.memory = ToMemoryChoice(text);
  if (option.name == "precision") {
    read.precision = text == "float32" ? Precision::kFloat32 : Precision::kAny;
  }
  if (option.name == "queue-priority") read.queue_priority = ToQueuePriority(text);
  if (option.name == "profiling") read.profiling = option.value.int_value != 0;
  if (option.name == "fuse") read.fuse = option.value.int_value != 0;
  if (option.name == "kernel-cache") read.kernel_cache = text;
}

}  // namespace

std::vector<OptionSchema> GetSchemas() {
  return {
      MakeSchema("library", kDefaultLibrary, "The file of OpenCL's ICD loader."),
      MakeSchema("platform", "",
                 "The platform, by its index or a part of its name; empty: any with a device."),
      MakeSchema("device", "",
                 "The device, by its index or a part of its name; empty: a GPU or accelerator "
                 "before a CPU."),
      MakeSchema("memory", "auto",
                 "Where tensors lie: in memory of the device, in memory that the CPU can map, or "
                 "auto, which prefers the latter where device and CPU share their memory.",
                 {"auto", "device", "host-visible"}),
      MakeSchema("precision", "any",
                 "any: float32 and, where tensors have it, float16; float32: layers of float16 are "
                 "refused.",
                 {"any", "float32"}),
      MakeSchema("queue-priority", "default",
                 "The priority of queues, where the device knows priorities.",
                 {"default", "low", "medium", "high"}),
      MakeSchema("profiling", true,
                 "Whether the device measures its kernels while a timeline is on."),
      MakeSchema("fuse", true,
                 "Whether layers that follow each other become one workload, with fewer kernels."),
      MakeSchema("kernel-cache", "",
                 "A folder in which built kernels are kept for this device and driver; empty: they "
                 "are not kept."),
  };
}

Options ReadOptions(const BackendOptions& options, const Options& defaults) {
  Options read = defaults;
  for (const BackendOption& option : options.options) ReadOption(option, read);
  return read;
}

}  // namespace opencl
}  // namespace backplane
