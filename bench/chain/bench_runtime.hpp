#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include <memory>

namespace bench {

/// A runtime with the reference backend: opened in one program, linked into the other. Where
/// backends are looked for is set in the options.
std::unique_ptr<backplane::IRuntime> MakeRuntime(backplane::CreationOptions options);

}  // namespace bench
