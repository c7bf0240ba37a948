// How long networks take on OpenCl, and how long the kernels that they enqueue take when a program
// does nothing else: the same kernels with the same arguments, one after the other in the same
// queue. Both in turn, so that a busy machine hurts both alike.
//
//   bench_opencl MODEL.onnx ... [--runs N] [--memory device|host-visible] [--shape
//   NAME=1x3x224x224]

#include "measured_network.hpp"
#include "recorder.hpp"

#include <backplane/onnx/import_model.hpp>
#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/i_runtime.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace backplane;
using namespace bench;

/// The recorder that the backend has open.
class Recorder {
 public:
  void Start() { Find<decltype(&StartRecording)>("StartRecording")(); }
  const std::vector<Call>* Stop() { return Find<decltype(&StopRecording)>("StopRecording")(); }
  void Repeat(const std::vector<Call>* calls) {
    const cl_int status = Find<decltype(&CallAgain)>("CallAgain")(calls);
    if (status != CL_SUCCESS) throw std::runtime_error("OpenCL error " + std::to_string(status));
  }

 private:
  template <typename Function>
  Function Find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_ = dlopen(BACKPLANE_RECORDER, RTLD_NOW | RTLD_LOCAL);
};

/// "NAME=1x3x224x224".
void AddShape(const std::string& text, onnx::ImportOptions& options) {
  const std::size_t equals = text.rfind('=');
  TensorShape shape;
  std::size_t begin = equals;
  while (begin != std::string::npos) {
    shape.Append(std::atoll(text.c_str() + begin + 1));
    begin = text.find('x', begin + 1);
  }
  options.input_shapes[text.substr(0, equals)] = shape;
}

void Measure(IRuntime& runtime, Recorder& recorder, const std::string& path,
             const onnx::ImportOptions& options, int num_runs) {
  const onnx::ImportedModel model = onnx::ImportModel(path, options);
  const auto optimized = Optimize(*model.network, {"OpenCl"}, runtime.GetDeviceSpec());
  const Tensors tensors(runtime, *optimized);
  const NetworkId network = runtime.LoadNetwork(optimized);
  // Built, and with the buffers that it keeps.
  for (int i = 0; i < 3; ++i) tensors.Run(runtime, network);
  recorder.Start();
  tensors.Run(runtime, network);
  const std::vector<Call>& calls = *recorder.Stop();
  std::vector<double> with_runtime;
  std::vector<double> by_hand;
  for (int i = 0; i < num_runs; ++i) {
    with_runtime.push_back(Time([&] { tensors.Run(runtime, network); }));
    by_hand.push_back(Time([&] { recorder.Repeat(&calls); }));
  }
  const auto num_kernels = std::count_if(calls.begin(), calls.end(),
                                         [](const Call& call) { return call.queue != nullptr; });
  const double ours = GetMedian(with_runtime);
  const double bare = GetMedian(by_hand);
  std::printf("%s: %td kernels, %.3f ms, by hand %.3f ms, ratio %.3f\n", path.c_str(), num_kernels,
              ours, bare, ours / bare);
  runtime.UnloadNetwork(network);
}

}  // namespace

int main(int argc, char** argv) {
  int num_runs = 100;
  std::vector<std::string> models;
  onnx::ImportOptions import_options;
  BackendOptions opencl("OpenCl", {{"library", BACKPLANE_RECORDER}});
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--runs" && has_value) {
      num_runs = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--memory" && has_value) {
      opencl.options.push_back({"memory", argv[++i]});
    } else if (argument == "--shape" && has_value) {
      AddShape(argv[++i], import_options);
    } else {
      models.push_back(argument);
    }
  }
  if (models.empty()) {
    std::fputs(
        "usage: bench_opencl MODEL.onnx ... [--runs N] [--memory device|host-visible] "
        "[--shape NAME=1x3x224x224]\n",
        stderr);
    return 64;
  }
  try {
    CreationOptions options;
    options.dynamic_backends_path = BACKPLANE_BACKENDS_FOLDER;
    options.backend_options = {opencl};
    const auto runtime = IRuntime::Create(options);
    Recorder recorder;
    for (const std::string& model : models) {
      Measure(*runtime, recorder, model, import_options, num_runs);
    }
  } catch (const DiagnosticException& exception) {
    std::fprintf(stderr, "%s\n", ToText(exception.GetDiagnostic()).c_str());
    return 1;
  }
  return 0;
}
