#pragma once

#include <string>
#include <string_view>

#include <sys/types.h>

namespace backplane::probing {

/// What the loader of a plugin's process told of its steps (LD_DEBUG=libs), taken apart from what
/// the plugin wrote to the same place.
struct LoaderTrace {
  std::string constructor_of;  // the library whose constructors were begun last; "": none
  std::string plugin_output;   // everything else
};

/// `process` is the one whose loader it is; lines that look like a loader's and have another number
/// are the plugin's.
LoaderTrace SplitLoaderTrace(std::string_view output, pid_t process);

/// The last lines of a text, without empty ones, joined by " | ", and cut at the front.
std::string JoinLastLines(std::string_view text, std::size_t max_lines, std::size_t max_bytes);

}  // namespace backplane::probing
