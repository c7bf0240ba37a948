#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace backplane::files {

/// What something that was passed on the way to a file is to it.
enum class StepKind {
  kFile,     // the file itself
  kLink,     // leads to it
  kHolder,   // a directory that holds the file, or a link on the way
  kPassage,  // a directory further up
};

/// Something whose writers can decide which file is reached.
struct Step {
  std::string path;  // canonical up to its last part
  StepKind kind = StepKind::kFile;
  struct stat status {};
};

struct PathWalk {
  std::vector<Step> steps;   // directories and links, each directory once; not the end itself when
                             // that is no directory
  std::string end;           // the canonical path
  bool is_complete = false;  // false: `end` could not be reached, and `failure` says why
  std::string failure;
};

/// Goes from a directory, given by its canonical path and itself a step, along a path as the system
/// would, through every link.
PathWalk WalkPath(const std::string& canonical_directory, const std::string& path);

/// The same from "/", or from the working directory when the path is relative.
PathWalk WalkPath(const std::string& path);

}  // namespace backplane::files
