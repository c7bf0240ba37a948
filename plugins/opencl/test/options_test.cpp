#include "options/options.hpp"

#include "context/model_context.hpp"
#include "test/opencl_case.hpp"

namespace backplane {
namespace opencl_test {
namespace {

using opencl::MemoryChoice;
using opencl::Options;
using opencl::Precision;
using opencl::QueuePriority;
using opencl::ReadOptions;

TEST(Options, AreReadByTheirNames) {
  const Options read =
      ReadOptions({"OpenCl",
                   {BackendOption("platform", "acme"), BackendOption("device", "1"),
                    BackendOption("memory", "device"), BackendOption("precision", "float32"),
                    BackendOption("queue-priority", "high"), BackendOption("profiling", false),
                    BackendOption("kernel-cache", "/kept")}});
  EXPECT_EQ(read.platform, "acme");
  EXPECT_EQ(read.device, "1");
  EXPECT_EQ(read.memory, MemoryChoice::kDevice);
  EXPECT_EQ(read.precision, Precision::kFloat32);
  EXPECT_EQ(read.queue_priority, QueuePriority::kHigh);
  EXPECT_FALSE(read.profiling);
  EXPECT_EQ(read.kernel_cache, "/kept");
}

TEST(Options, OfANetworkAreLaidOverThoseOfTheRuntime) {
  Options of_runtime;
  of_runtime.platform = "acme";
  of_runtime.memory = MemoryChoice::kHostVisible;
  const Options read = ReadOptions({"OpenCl", {BackendOption("memory", "auto")}}, of_runtime);
  EXPECT_EQ(read.platform, "acme");
  EXPECT_EQ(read.memory, MemoryChoice::kAuto);
}

TEST(Options, HaveTheirDefaultsInTheSchemas) {
  BackendOptions defaults;
  for (const OptionSchema& schema : opencl::GetSchemas()) {
    defaults.options.emplace_back(schema.name, schema.default_value);
  }
  const Options read = ReadOptions(defaults);
  EXPECT_EQ(read.library, opencl::kDefaultLibrary);
  EXPECT_EQ(read.memory, MemoryChoice::kAuto);
  EXPECT_EQ(read.precision, Precision::kAny);
  EXPECT_TRUE(read.profiling);
}

TEST_F(OpenClDevice, RefusesFloat16WhenThePrecisionIsFloat32) {
  const TensorInfo info({4}, DataType::kFloat16);
  ActivationDescriptor descriptor;
  descriptor.function = ActivationFunction::kRelu;
  const TestLayer layer(LayerType::kActivation, descriptor, {info}, info);
  for (const char* precision : {"any", "float32"}) {
    const BackendOptions options("OpenCl", {BackendOption("precision", precision)});
    ModelContextArgs model_args;
    model_args.options = &options;
    model_args.logger = &log_;
    model_args.context = context_.get();
    LayerSupportArgs args;
    args.context = context_.get();
    args.model_context = MakeOpenCl()->CreateBackendSpecificModelContext(model_args);
    std::string reason;
    const LayerQuestion question(layer);
    const auto support = MakeOpenCl()->GetLayerSupport(args);
    const bool is_supported = support->IsLayerSupported(question.Get(), reason);
    EXPECT_EQ(is_supported, std::string(precision) == "any");
    EXPECT_EQ(reason, is_supported ? ""
                                   : "data type float16 is refused by the option precision, which "
                                     "is float32");
  }
}

}  // namespace
}  // namespace opencl_test
}  // namespace backplane
