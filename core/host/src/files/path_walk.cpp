#include "files/path_walk.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace backplane::files {
namespace {

constexpr int kMaxLinks = 40;  // as many as the system follows

class Walker {
 public:
  explicit Walker(std::string directory) : directory_(std::move(directory)) {
    if (directory_ == "/") directory_.clear();
  }

  PathWalk Walk(const std::string& path) {
    Push(path);
    bool is_going = EnterDirectory();
    while (is_going && !rest_.empty()) {
      const std::string part = std::move(rest_.back());
      rest_.pop_back();
      is_going = Take(part);
    }
    walk_.is_complete = is_going;
    if (walk_.end.empty()) walk_.end = GetDirectory();
    return std::move(walk_);
  }

 private:
  std::string GetDirectory() const { return directory_.empty() ? "/" : directory_; }

  bool Fail(const std::string& path, int error) {
    walk_.failure = path + ": " + std::strerror(error);
    return false;
  }

  /// Puts the parts of a path before what is left to go.
  void Push(const std::string& path) {
    std::size_t end = path.size();
    while (end != 0) {
      const std::size_t slash = path.find_last_of('/', end - 1);
      const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
      if (begin != end) rest_.push_back(path.substr(begin, end - begin));
      end = slash == std::string::npos ? 0 : slash;
    }
  }

  bool EnterDirectory() {
    Step step{GetDirectory(), StepKind::kPassage, {}};
    if (FindDirectory() != walk_.steps.end()) return true;
    if (::lstat(step.path.c_str(), &step.status) != 0) return Fail(step.path, errno);
    walk_.steps.push_back(std::move(step));
    return true;
  }

  std::vector<Step>::iterator FindDirectory() {
    const std::string path = GetDirectory();
    return std::find_if(walk_.steps.begin(), walk_.steps.end(),
                        [&](const Step& step) { return step.path == path; });
  }

  void MarkHolder() {
    const auto step = FindDirectory();
    if (step != walk_.steps.end()) step->kind = StepKind::kHolder;
  }

  bool Take(const std::string& part) {
    if (part == ".") return true;
    if (part == "..") {
      directory_.resize(directory_.empty() ? 0 : directory_.find_last_of('/'));
      return EnterDirectory();
    }
    Step step{directory_ + '/' + part, StepKind::kLink, {}};
    if (::lstat(step.path.c_str(), &step.status) != 0) return Fail(step.path, errno);
    if (S_ISDIR(step.status.st_mode)) {
      directory_ = step.path;
      return EnterDirectory();
    }
    MarkHolder();
    if (S_ISLNK(step.status.st_mode)) return Follow(std::move(step));
    walk_.end = step.path;
    return rest_.empty() || Fail(step.path, ENOTDIR);
  }

  bool Follow(Step link) {
    if (++num_links_ > kMaxLinks) return Fail(link.path, ELOOP);
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(link.path.c_str(), target.data(), target.size());
    if (length < 0) return Fail(link.path, errno);
    walk_.steps.push_back(std::move(link));
    Push(std::string(target.data(), static_cast<std::size_t>(length)));
    if (target[0] != '/') return true;
    directory_.clear();
    return EnterDirectory();
  }

  std::string directory_;          // canonical; empty for "/"
  std::vector<std::string> rest_;  // the parts still to go, the next one last
  int num_links_ = 0;
  PathWalk walk_;
};

}  // namespace

PathWalk WalkPath(const std::string& canonical_directory, const std::string& path) {
  return Walker(canonical_directory).Walk(path);
}

PathWalk WalkPath(const std::string& path) {
  if (!path.empty() && path[0] == '/') return Walker("").Walk(path);
  std::array<char, PATH_MAX> directory{};
  if (::getcwd(directory.data(), directory.size()) == nullptr) {
    PathWalk walk;
    walk.failure = std::string("the working directory: ") + std::strerror(errno);
    return walk;
  }
  return Walker("").Walk(std::string(directory.data()) + '/' + path);
}

}  // namespace backplane::files
