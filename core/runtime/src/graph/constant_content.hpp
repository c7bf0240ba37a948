#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace backplane {

/// The content of a constant. The graphs that are made of one network share it, so that it goes
/// from all of them when it is let go of.
struct ConstantContent {
  std::shared_ptr<const void> data;  // null when there are no elements, and when it is gone
  std::uint64_t identity = 0;        // of IdentifyContent; stays with copies, and when it is gone
  bool may_be_released = false;      // nobody but backends needs it
  std::string released_by;           // the backend that was the last to let go of it; "" before
};

/// Gives the memory of a content back that lies in the pages of a file; those are read again when
/// somebody needs them. Other content stays.
/// [any thread]
void ReleasePages(const ConstantContent& content);

/// A number for a content, which no other content of the process ever gets: for ConstTensor. 0: it
/// has none, because nobody owns it.
/// [any thread]
std::uint64_t IdentifyContent(const std::shared_ptr<const void>& data, std::uint64_t size_bytes);

}  // namespace backplane
