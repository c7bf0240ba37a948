// Views of memory that a backend in another process describes.
#pragma once

#include "isolation/worker.hpp"

#include <backplane/api/memory_view.hpp>
#include <backplane/api/tensor_info.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace backplane::isolation {

/// What the memory of a view needs to stay: the area in which it lies, or its file.
struct ViewHold {
  std::shared_ptr<SharedArea> area;
  wire::FileDescriptor file;
};

/// From the first byte of a view to the end of its last element.
/// Nothing: there is none, for strides are negative, or no number tells where it lies.
std::optional<std::uint64_t> CountUsedBytes(const MemoryView& view);

/// The next view of a reply, as this process sees the memory: with an address when it lies in an
/// area that both have, and with a descriptor when one came along. `hold` then owns what it needs.
/// Nothing: there is none, or what it says cannot be true of a tensor of `info`.
std::optional<MemoryView> TakeView(Worker& worker, Reply& reply, const TensorInfo& info,
                                   ViewHold& hold);

/// What is true of an alignment that is claimed, of memory that lies here: whoever relies on one
/// that is not there dies of it.
std::uint64_t LimitAlignment(std::uint64_t alignment_bytes, const void* data);

/// Whether a file that a backend handed over keeps its length; if not, it is not used, and that is
/// logged.
bool TakesFile(const Worker& worker, int file_descriptor);
/// The same of a file that a backend is to be given.
bool GivesFile(const Worker& worker, int file_descriptor);

}  // namespace backplane::isolation
