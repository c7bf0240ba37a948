// Objects that are made, used and destroyed in every order that is allowed.

#include "harness/descriptor_text.hpp"
#include "harness/expectations.hpp"
#include "harness/host_tensors.hpp"
#include "harness/run_code.hpp"
#include "harness/session.hpp"
#include "spawn/ends.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace backplane::check_backend {
namespace {

constexpr std::size_t kNumLives = 8;

constexpr int kExitThrown = 70;
constexpr int kExitRefused = 71;  // an exception with a text was thrown

bool HasExited(int status, int code) {
  return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

std::string DescribeForkedEnd(int status) {
  if (HasExited(status, kExitThrown) || HasExited(status, kExitRefused)) {
    return "something was thrown";
  }
  return "the process " + spawn::DescribeStatus(status);
}

/// A pipe from one process to another that is made by fork.
class Pipe {
 public:
  /// Errors: std::system_error.
  Pipe() {
    if (pipe2(ends_, O_CLOEXEC) != 0) {
      throw std::system_error(errno, std::generic_category(), "a pipe between two processes");
    }
  }
  ~Pipe() {
    close(ends_[0]);
    CloseWriter();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int GetReader() const { return ends_[0]; }
  int GetWriter() const { return ends_[1]; }

  /// A little text.
  void Write(const std::string& text) const {
    static_cast<void>(write(ends_[1], text.data(), text.size()) == 0);
  }
  /// Nothing more will be written by this process.
  void CloseWriter() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  /// All that is written until the last writer is closed, that of this process at once.
  std::string Read() {
    CloseWriter();
    std::string text;
    char bytes[1024];
    for (;;) {
      const ssize_t count = read(ends_[0], bytes, sizeof(bytes));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(bytes, static_cast<std::size_t>(count));
    }
  }

 private:
  int ends_[2] = {-1, -1};
};

/// Begins `work` in a process made by fork, which ends with it.
pid_t BeginForked(const std::function<void()>& work) {
  const pid_t process = fork();
  if (process == 0) {
    try {
      work();
    } catch (const std::exception& exception) {
      std::fprintf(stderr, "%s\n", exception.what());
      _exit(kExitThrown);
    } catch (...) {
      _exit(kExitThrown);
    }
    _exit(0);
  }
  return process;
}

int RunForked(const std::function<void()>& work) {
  return spawn::WaitForChild(BeginForked(work));
}

bool IsMapped(const std::string& path_or_link) {
  const std::string path = std::filesystem::canonical(path_or_link);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t place = line.find('/');
    if (place != std::string::npos && line.compare(place, std::string::npos, path) == 0)
      return true;
  }
  return false;
}

}  // namespace

void CheckLentIsNotKept(Session& session) {
  for (const Sample& sample : MakeSamples(session, 1)) {
    if (!session.Begin("makes the workload of " + DescribeLayer(sample.made) +
                       ", takes back what was lent for that, and runs it")) {
      continue;
    }
    SetRunCode(session, sample, "  descriptor = {};\n  inputs.clear();\n  run();\n  show();\n");
    WatchFaults(session.GetRecord());
    Plugin& plugin = session.GetPlugin();
    BorrowedBytes descriptor(sample.made.descriptor_bytes.data(),
                             sample.made.descriptor_bytes.size(),
                             "the descriptor that was lent to CreateWorkload");
    BorrowedBytes name("layer under test", sizeof("layer under test"),
                       "the layer's name that was lent to CreateWorkload");
    Running running;
    running.factory = plugin.MakeFactory();
    const conformance::LayerWorkloadArgs parts(sample.made);
    WorkloadArgs args = parts.Get();
    args.layer_name = static_cast<const char*>(name.GetData());
    args.descriptor = static_cast<const BaseDescriptor*>(descriptor.GetData());
    running.workload = MakeWorkload(*running.factory, args);
    descriptor.ForbidTouching();
    name.ForbidTouching();
    running.state = running.factory->CreateExecutionState();
    ExpectRightRun(session, running, sample, "what the layer was when the workload was made");
  }
}

void CheckBackendsAreApart(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, kNumLives)) {
    if (!session.Begin("makes and destroys a second object of the backend while the first runs " +
                       DescribeLayer(sample.made))) {
      continue;
    }
    Plugin& plugin = session.GetPlugin();
    const Running running = MakeRunning(plugin, sample.made);
    ExpectRightRun(session, running, sample);
    {
      const Plugin second(session.GetPath());
      const Running other = MakeRunning(second, sample.made);
      ExpectRightRun(session, running, sample,
                     "that a second object changes nothing for the first");
    }
    ExpectRightRun(session, running, sample, "that a second object changes nothing for the first");
  }
}

void CheckOpensAgain(Session& session) {
  const std::vector<Sample> samples = MakeFewSamples(session, 2);
  for (const Sample& sample : samples) {
    if (!session.Begin("closes the library, opens it again, and runs " +
                       DescribeLayer(sample.made))) {
      continue;
    }
    const bool has_context = session.GetPlugin().GetContext() != nullptr;
    MakeAndRun(session, sample);
    for (int i = 0; i < 3; ++i) {
      session.ClosePlugin();
      const bool has_context_again = session.GetPlugin().GetContext() != nullptr;
      session.Expect(has_context == has_context_again,
                     has_context ? "no context, which it had when it was opened before"
                                 : "a context, which it did not have when it was opened before",
                     "the same as when it was opened before");
      MakeAndRun(session, sample);
    }
  }
}

namespace {

/// A process that runs one layer and then exits. It is made before this process opens the backend,
/// as drivers of devices seldom work in copies of a process that has them open.
class ExitingProcess {
 public:
  /// `number`: of the layer, among a few.
  ExitingProcess(Session& session, std::size_t number, bool is_kept)
      : process_(BeginForked([&] { Work(session, number, is_kept); })) {}

  /// What it will run; "" when there are fewer layers, or it has ended.
  std::string ReadLayer() { return layer_.Read(); }
  /// What waitpid says when it has run the layer, or was told not to.
  int Finish(bool runs) {
    if (runs) go_.Write("go");
    go_.CloseWriter();
    return spawn::WaitForChild(process_);
  }

 private:
  void Work(Session& session, std::size_t number, bool is_kept) {
    const std::vector<Sample> samples = MakeFewSamples(session, 2);
    if (number >= samples.size()) _exit(0);
    const Sample& sample = samples[number];
    layer_.Write(DescribeLayer(sample.made));
    layer_.CloseWriter();
    go_.CloseWriter();
    if (go_.Read().empty()) _exit(0);
    auto* const running = new Running(MakeRunning(session.GetPlugin(), sample.made));
    const HostTensors tensors(sample, GuardedSide::kBehind, 0);
    static_cast<void>(RunOn(*running, tensors));
    if (!is_kept) {
      delete running;
      session.ClosePlugin();
    }
    std::exit(0);
  }

  Pipe layer_;
  Pipe go_;
  pid_t process_;
};

}  // namespace

void CheckExitsAfterRuns(Session& session) {
  for (std::size_t number = 0;; ++number) {
    for (const bool is_kept : {false, true}) {
      ExitingProcess process(session, number, is_kept);
      const std::string layer = process.ReadLayer();
      if (layer.empty()) {
        const int status = process.Finish(false);
        if (HasExited(status, 0)) return;
        if (!session.Begin("asks in a new process what is supported")) return;
        return session.Report(DescribeForkedEnd(status), "that it can be asked");
      }
      const bool runs =
          session.Begin("runs " + layer + " in a process that then exits, " +
                        (is_kept ? "with everything that was made" : "after all was destroyed"));
      const int status = process.Finish(runs);
      if (!runs) continue;
      session.Expect(HasExited(status, 0), DescribeForkedEnd(status),
                     "that a process can exit, with code 0 here, after the backend has run");
    }
  }
}

namespace {

/// Runs the sample; a backend that throws ends the process, and why is noted.
void RunInCopy(Session& session, const Sample& sample) {
  try {
    MakeAndRun(session, sample);
  } catch (const std::exception& exception) {
    std::string why = exception.what();
    std::replace(why.begin(), why.end(), '\n', ' ');
    if (why.empty()) _exit(kExitThrown);
    session.Note("does not work in a copy of a process that has it open", why);
    _exit(kExitRefused);
  }
}

}  // namespace

void CheckForksAreSurvived(Session& session) {
  for (const Sample& sample : MakeFewSamples(session, 2)) {
    if (session.Begin("opens the library, forks, and runs " + DescribeLayer(sample.made) +
                      " in the new process")) {
      session.GetPlugin();
      const int status = RunForked([&] {
        RunInCopy(session, sample);
        _exit(0);
      });
      session.Expect(HasExited(status, 0) || HasExited(status, kExitRefused),
                     DescribeForkedEnd(status),
                     "that it works in a process that was forked before anything ran, or throws an "
                     "exception that says why not");
    }
    if (session.Begin("runs " + DescribeLayer(sample.made) + ", forks, and runs it again")) {
      const Running running = MakeRunning(session.GetPlugin(), sample.made);
      ExpectRightRun(session, running, sample);
      RunForked([] { _exit(0); });
      ExpectRightRun(session, running, sample, "the same after somebody forked the process");
    }
  }
}

void CheckLibraryIsUnloaded(Session& session) {
  if (!session.Begin("closes the library")) return;
  session.GetPlugin();
  session.ClosePlugin();
  session.Expect(!IsMapped(session.GetPath()), "the library is still in memory",
                 "that it is gone: unique symbols (-fno-gnu-unique), thread-local destructors and "
                 "-z nodelete keep it there");
}

}  // namespace backplane::check_backend
