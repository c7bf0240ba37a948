#pragma once

/// Structs of backend.h, and memory as both sides describe it. Both sides of the boundary compile
/// this into themselves.

#include <backplane/c/backend.h>
#include <backplane/api/memory_view.hpp>
#include <backplane/api/status.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace backplane::c_form {

/// A struct of backend.h with its size, all else zero.
template <typename Struct>
Struct Make() {
  Struct made{};
  made.size_bytes = sizeof(Struct);
  return made;
}

/// A copy of a struct or table of the other side, as long as these headers know it; what that side
/// does not have is zero.
template <typename Struct>
Struct CopyKnown(const Struct& given) {
  Struct copy{};
  std::copy_n(reinterpret_cast<const unsigned char*>(&given),
              std::min<std::size_t>(given.size_bytes, sizeof(Struct)),
              reinterpret_cast<unsigned char*>(&copy));
  copy.size_bytes = sizeof(Struct);
  return copy;
}

/// A number as text, without what the C++ library shares between files for it.
inline std::string ToWord(std::uint64_t number) {
  char text[24] = {};
  std::snprintf(text, sizeof text, "%llu", static_cast<unsigned long long>(number));
  return text;
}

template <typename Struct, typename = void>
constexpr bool kHasReserved = false;
template <typename Struct>
constexpr bool kHasReserved<Struct, std::void_t<decltype(Struct::reserved)>> = true;

/// As CopyKnown, of a struct that the other side has filled.
/// Errors: std::invalid_argument when its size is not set, and when it says what these headers do
/// not know.
template <typename Struct>
Struct Copy(const Struct& given) {
  constexpr std::uint32_t kLongest = 4096;
  if (given.size_bytes < sizeof(given.size_bytes)) {
    throw std::invalid_argument("the size_bytes of a struct is " + ToWord(given.size_bytes) +
                                "; expected its size, " + ToWord(sizeof(Struct)));
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(&given);
  for (std::uint32_t at = sizeof(Struct); at < given.size_bytes; ++at) {
    if (at < kLongest && bytes[at] == 0) continue;
    throw std::invalid_argument(
        "a struct of " + ToWord(given.size_bytes) + " bytes has more than 0 in its byte " +
        ToWord(at) + "; this version of the API knows " + ToWord(sizeof(Struct)) + " bytes of it");
  }
  const Struct copy = CopyKnown(given);
  if constexpr (kHasReserved<Struct>) {
    if (copy.reserved != 0) {
      throw std::invalid_argument("the reserved word of a struct of " + ToWord(given.size_bytes) +
                                  " bytes is " + ToWord(copy.reserved) + "; expected 0");
    }
  }
  return copy;
}

/// Fills a struct of the other side no further than it has room.
template <typename Out>
void Give(const Out& made, Out* out) {
  const std::uint32_t size_bytes = out->size_bytes;
  std::memcpy(static_cast<void*>(out), &made, std::min<std::size_t>(size_bytes, sizeof(Out)));
  out->size_bytes = size_bytes;
}

template <typename Enum>
Enum ToEnum(std::uint64_t number) {
  return static_cast<Enum>(number);
}
inline bp_status ToC(Status status) {
  return static_cast<bp_status>(status);
}
inline Status ToStatus(bp_status status) {
  return static_cast<Status>(status);
}

/// -1: the source is no file.
inline int GetFile(const bp_view& view) {
  return (view.source & ~std::uint64_t{BP_MEMORY_CPU}) != 0 ? view.file : -1;
}

/// Points into `view`.
inline bp_view ToC(const MemoryView& view) {
  auto made = Make<bp_view>();
  made.data_type = static_cast<std::uint32_t>(view.data_type);
  made.rank = view.rank;
  made.storage = view.layout == TensorLayout::kOpaque ? BP_STORAGE_OPAQUE : BP_STORAGE_PADDED;
  made.access = static_cast<std::uint32_t>(view.access);
  made.file = view.file_descriptor;
  made.source = ToFlags(view.source);
  made.data = view.data;
  made.offset = view.offset_bytes;
  made.num_bytes = view.size_bytes;
  made.alignment = view.alignment_bytes;
  made.dims = view.dims;
  made.strides = view.strides_bytes;
  return made;
}

/// Whether the elements lie one after the other. The extents are the view's own: a tensor may be
/// looked at under another shape than its layer's.
inline bool IsDense(const bp_view& view, std::uint64_t element_size_bytes) {
  if (view.strides == nullptr) return true;
  auto stride = static_cast<std::int64_t>(element_size_bytes);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    if (view.dims[axis] > 1 && view.strides[axis] != stride) return false;
    stride *= view.dims[axis];
  }
  return true;
}

/// The strides of a dense tensor, for the rank and dims that the view has.
inline void SetDenseStrides(MemoryView& view) {
  std::int64_t stride = GetDataTypeSizeBytes(view.data_type);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    view.strides_bytes[axis] = stride;
    stride *= std::max<std::int64_t>(view.dims[axis], 1);  // so that strides stay positive
  }
}

inline MemoryView ToView(const bp_view& given) {
  const bp_view from = CopyKnown(given);
  MemoryView made;
  made.data = from.data;
  made.file_descriptor = GetFile(from);
  made.source = ToEnum<MemorySource>(from.source);
  made.offset_bytes = from.offset;
  made.size_bytes = from.num_bytes;
  made.alignment_bytes = from.alignment;
  made.access = ToEnum<MemoryAccess>(from.access);
  made.data_type = ToEnum<DataType>(from.data_type);
  if (from.storage == BP_STORAGE_OPAQUE) made.layout = TensorLayout::kOpaque;
  if (from.rank > kMaxRank) {
    throw std::invalid_argument("a view has the rank " + ToWord(from.rank));
  }
  if (from.dims == nullptr) return made;
  made.rank = from.rank;
  std::copy_n(from.dims, from.rank, made.dims);
  if (from.strides != nullptr) {
    std::copy_n(from.strides, from.rank, made.strides_bytes);
  } else {
    SetDenseStrides(made);
  }
  return made;
}

inline bp_view ToC(const MemoryBlock& block) {
  auto made = Make<bp_view>();
  made.access = BP_ACCESS_READ_WRITE;
  made.file = block.file_descriptor;
  made.source = ToFlags(block.source);
  made.data = block.data;
  made.num_bytes = block.size_bytes;
  made.token = block.token;
  return made;
}

inline MemoryBlock ToBlock(const bp_view& given) {
  const bp_view from = CopyKnown(given);
  MemoryBlock made;
  made.data = from.data;
  made.file_descriptor = GetFile(from);
  made.source = ToEnum<MemorySource>(from.source);
  made.size_bytes = from.num_bytes;
  made.token = from.token;
  return made;
}

inline bp_requirements ToC(const MemoryRequirements& requirements) {
  auto made = Make<bp_requirements>();
  made.num_bytes = requirements.size_bytes;
  made.alignment = requirements.alignment_bytes;
  return made;
}

inline MemoryRequirements ToRequirements(const bp_requirements& from) {
  MemoryRequirements made;
  made.size_bytes = from.num_bytes;
  made.alignment_bytes = from.alignment;
  return made;
}

}  // namespace backplane::c_form
