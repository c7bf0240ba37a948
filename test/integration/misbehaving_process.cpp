#include "misbehaving_process.hpp"

#include "mock_rows.hpp"
#include "support/temporary_directory.hpp"

#include <backplane/runtime/i_network.hpp>
#include <backplane/runtime/optimize.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

namespace backplane::test {
namespace {

[[noreturn]] void WorkInForked(const std::function<void()>& work, const std::string& err_file) {
  const int file = open(err_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0 || dup2(file, STDERR_FILENO) < 0) _exit(99);
  close(file);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    work();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "thrown: %s\n", exception.what());
    _exit(98);
  }
  _exit(0);
}

}  // namespace

std::string ReadWholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

EndOfProcess RunInForked(const std::function<void()>& work) {
  const TemporaryDirectory directory;
  const std::string err_file = directory / "err";
  std::fflush(nullptr);
  const pid_t process = fork();
  if (process == 0) WorkInForked(work, err_file);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  EndOfProcess end;
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  end.err = ReadWholeFile(err_file);
  return end;
}

std::unique_ptr<IRuntime> CreateNotedRuntime(const std::string& row, const std::string& file) {
  CreationOptions options;
  options.dynamic_backends_path = GetMockRow(row).folder;
  options.crash_notes = CrashNotes{file};
  return IRuntime::Create(options);
}

NetworkId LoadReluChain(IRuntime& runtime, const std::string& row,
                        const std::vector<std::string>& layers) {
  const std::unique_ptr<INetwork> network = INetwork::Create("chain");
  OutputSlot last = network->AddInputLayer(TensorInfo({4}, DataType::kFloat32), "x");
  for (const std::string& name : layers) {
    last = {AddLayer<LayerType::kActivation>(*network, ActivationDescriptor(), {last}, name), 0};
  }
  network->AddOutputLayer(last, "y");
  return runtime.LoadNetwork(Optimize(*network, {GetMockRow(row).id}, runtime.GetDeviceSpec()));
}

void RunReluChain(IRuntime& runtime, NetworkId network, float first) {
  const std::vector<float> input = {first, -1, 2, -3};
  std::vector<float> output(4);
  const Status status =
      runtime.EnqueueWorkload(network, {{0, {TensorInfo({4}, DataType::kFloat32), input.data()}}},
                              {{0, output.data(), output.size() * sizeof(float)}});
  if (status != Status::kSuccess) _exit(96);
}

}  // namespace backplane::test
