#pragma once

#include "images/image_options.hpp"

namespace CLI {
class App;
}

namespace backplane::execute_network {

/// Adds the options --image-...
void DefineImageOptions(CLI::App& app, ImageOptions& options);

}  // namespace backplane::execute_network
