#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include <memory>

namespace bench {

/// A runtime with the reference backend: opened in one program, linked into the other. The options
/// may say where other backends are.
std::unique_ptr<backplane::IRuntime> MakeRuntime(backplane::CreationOptions options);

}  // namespace bench
