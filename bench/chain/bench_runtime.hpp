#pragma once

#include <backplane/runtime/i_runtime.hpp>

#include <memory>

namespace bench {

/// A runtime with the reference backend: opened in one program, linked into the other.
std::unique_ptr<backplane::IRuntime> MakeRuntime();

}  // namespace bench
