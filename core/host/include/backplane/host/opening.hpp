#pragma once

namespace backplane {

/// When the files of backends are opened.
enum class Opening {
  kEager,  // all at once, when they are found
  kLazy,   // those with a manifest when they are first used, the others at once
};

}  // namespace backplane
