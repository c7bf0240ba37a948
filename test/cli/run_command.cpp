#include "run_command.hpp"

#include "json_schema.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace backplane::test {
namespace {

struct Pipe {
  Pipe() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    read_end = ends[0];
    write_end = ends[1];
  }
  int read_end = -1;
  int write_end = -1;
};

/// Reads until the other end is closed; a terminal then gives EIO.
std::string ReadAll(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

std::vector<char*> MakePointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t Start(const std::string& program, const std::vector<std::string>& arguments,
            const CommandSettings& settings, int out, int err) {
  std::vector<std::string> argument_texts{program};
  argument_texts.insert(argument_texts.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment_texts{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  // What a sanitizer is told holds for the command, too.
  for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    const char* options = std::getenv(name);
    if (options != nullptr) environment_texts.push_back(std::string(name) + "=" + options);
  }
  environment_texts.insert(environment_texts.end(), settings.environment.begin(),
                           settings.environment.end());
  const std::vector<char*> argv = MakePointers(argument_texts);
  const std::vector<char*> envp = MakePointers(environment_texts);
  const pid_t child = fork();
  if (child != 0) return child;
  if (!settings.directory.empty() && chdir(settings.directory.c_str()) != 0) _exit(126);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  execve(program.c_str(), argv.data(), envp.data());
  _exit(127);
}

int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool BeginsDiagnostic(const std::string& line) {
  const auto begins_with = [&](const std::string& word) { return line.rfind(word, 0) == 0; };
  return begins_with("error BP") || begins_with("warning BP") || begins_with("note BP");
}

}  // namespace

CommandResult RunCommand(const std::string& program, const std::vector<std::string>& arguments,
                         const CommandSettings& settings) {
  CommandResult result;
  Pipe out;
  Pipe err;
  if (!settings.out_file.empty()) {
    close(out.write_end);
    out.write_end = open(settings.out_file.c_str(), O_WRONLY | O_CLOEXEC);
  }
  const pid_t child = Start(program, arguments, settings, out.write_end, err.write_end);
  close(out.write_end);
  close(err.write_end);
  std::thread reader([&] { result.err = ReadAll(err.read_end); });
  result.out = ReadAll(out.read_end);
  reader.join();
  close(out.read_end);
  close(err.read_end);
  result.exit_code = Wait(child);
  ExpectPublishedForm(program, arguments, result.out);
  return result;
}

CommandResult RunOnTerminal(const std::string& program, const std::vector<std::string>& arguments,
                            unsigned short width, const CommandSettings& settings) {
  CommandResult result;
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_GE(master, 0);
  EXPECT_EQ(grantpt(master), 0);
  EXPECT_EQ(unlockpt(master), 0);
  const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  EXPECT_GE(terminal, 0);
  winsize size{};
  size.ws_col = width;
  size.ws_row = 25;
  EXPECT_EQ(ioctl(terminal, TIOCSWINSZ, &size), 0);
  const pid_t child = Start(program, arguments, settings, terminal, terminal);
  close(terminal);
  result.out = ReplaceAll(ReadAll(master), "\r\n", "\n");
  close(master);
  result.exit_code = Wait(child);
  return result;
}

void ExpectGolden(const std::string& name, const std::string& text) {
  const std::string path = std::string(BACKPLANE_GOLDEN_DIR) + '/' + name + ".txt";
  if (std::getenv("BACKPLANE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  const std::string golden{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(golden, text) << "differs from " << path
                          << "; when that is meant, run with BACKPLANE_UPDATE_GOLDEN=1";
}

std::string JoinDiagnosticLines(const std::string& text) {
  std::string joined;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string words = line.substr(std::min(line.size(), line.find_first_not_of(' ')));
    const bool is_new = words == line || BeginsDiagnostic(words);
    const bool is_part = words.rfind("why: ", 0) == 0 || words.rfind("fix: ", 0) == 0;
    if (is_new) {
      joined += (joined.empty() ? "" : "\n") + words;
    } else {
      joined += is_part ? "; " + words.substr(5) : " " + words;
    }
  }
  return joined.empty() ? joined : joined + '\n';
}

std::string ReplaceAll(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace backplane::test
