#include "spawn/status_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <utility>

namespace backplane::spawn {
namespace {

using wire::FileDescriptor;

constexpr char kPath[] = "/proc/self/status";
// Above what a plugin is likely to close when it closes what it does not know.
constexpr int kHighDescriptor = 300;

/// "" when it cannot be read, or is something else by now.
std::string ReadFrom(int descriptor) {
  char buffer[16384];
  std::string text;
  ssize_t bytes = 0;
  while ((bytes = pread(descriptor, buffer, sizeof(buffer), static_cast<off_t>(text.size()))) > 0) {
    text.append(buffer, static_cast<std::size_t>(bytes));
    if (text.size() > sizeof(buffer)) break;
  }
  return text.rfind("Name:", 0) == 0 ? '\n' + text : "";
}

std::string FindValue(const std::string& text, const std::string& name) {
  const std::string key = '\n' + name + ':';
  const std::size_t found = text.find(key);
  if (found == std::string::npos) return "";
  const std::size_t end = text.find('\n', found + 1);
  const std::size_t begin = text.find_first_not_of(" \t", found + key.size());
  if (begin >= end) return "";
  const std::size_t last = text.find_last_not_of(" \t", end - 1);
  return text.substr(begin, last - begin + 1);
}

}  // namespace

StatusFile::StatusFile() : file_(::open(kPath, O_RDONLY | O_CLOEXEC)) {
  FileDescriptor high(fcntl(file_.Get(), F_DUPFD_CLOEXEC, kHighDescriptor));
  if (high.IsOpen()) file_ = std::move(high);
}

void StatusFile::Refresh() {
  text_ = ReadFrom(file_.Get());
  if (!text_.empty()) return;
  const FileDescriptor again(::open(kPath, O_RDONLY | O_CLOEXEC));
  text_ = ReadFrom(again.Get());
}

std::string StatusFile::Get(const std::string& name) const {
  return FindValue(text_, name);
}

std::string ReadStatusLine(const std::string& process, const std::string& name) {
  const FileDescriptor file(::open(("/proc/" + process + "/status").c_str(), O_RDONLY | O_CLOEXEC));
  return FindValue(ReadFrom(file.Get()), name);
}

std::string ReadStatBehindName(pid_t process) {
  constexpr char kNameEnd[] = ") ";
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(kNameEnd);
  return name_end == std::string::npos ? "" : text.substr(name_end + sizeof(kNameEnd) - 1);
}

std::vector<pid_t> ListChildren(pid_t process) {
  const std::string number = std::to_string(process);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) children.push_back(child);
  return children;
}

}  // namespace backplane::spawn
