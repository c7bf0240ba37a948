#pragma once

namespace backplane {

/// When the files of backends are opened.
enum class Opening {
  kEager,  // all at once, when they are found
  kLazy,  // when they are first used, those whose id is known without: from their manifest, or from
          // the process of their own in which they ran; the others at once
};

}  // namespace backplane
