#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace backplane::probing {

/// The steps that the loader of a plugin's process told (LD_DEBUG=libs), taken apart from the text
/// that the plugin wrote to the same place.
struct LoaderTrace {
  /// The library whose constructors were begun last; "": AnnounceNoConstructor was called since.
  std::optional<std::string> constructor_of;
  std::string plugin_output;  // everything else
};

/// `process` is the one whose loader it is; lines that look like a loader's and have another number
/// are the plugin's.
LoaderTrace SplitLoaderTrace(std::string_view output, pid_t process);

/// Writes into this process's error output, as its loader would, that no constructors run now.
void AnnounceNoConstructor();

/// The last lines of a text, without empty ones, joined by " | ", and cut at the front.
std::string JoinLastLines(std::string_view text, std::size_t max_lines, std::size_t max_bytes);

}  // namespace backplane::probing
