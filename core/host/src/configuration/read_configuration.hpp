#pragma once

#include <backplane/host/configuration.hpp>

#include <functional>
#include <string>

namespace backplane::configuration {

/// What a configuration is read from.
struct Surroundings {
  /// The value of a variable; null when it is not set, and in secure execution.
  std::function<const char*(const char* name)> get_variable;
  std::string compiled_in_paths;  // colon-separated
  std::string library_directory;  // for which $ORIGIN stands
  std::string drop_in_directory;
};

/// As the public function, from these surroundings.
Configuration ReadConfiguration(const ConfigurationRequest& request,
                                const Surroundings& surroundings);

}  // namespace backplane::configuration
