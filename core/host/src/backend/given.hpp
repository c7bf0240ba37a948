// Checks of what a backend hands over, before it is read. The headers that both sides compile do
// not check it.
#pragma once

#include <backplane/c/backend.h>
#include <backplane/api/c_values.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

namespace backplane::backend {

/// A backend that lists more items of one kind is in error.
constexpr std::size_t kMostItems = 10'000;

/// Errors: std::invalid_argument when the list is null and has entries, or has more than `most`.
void RequireList(const void* list, std::uint64_t count, const char* what,
                 std::uint64_t most = kMostItems);

/// Errors: std::invalid_argument when a struct of this size ends within a field.
void RequireWhole(std::uint64_t size_bytes, std::size_t alignment);

/// Errors: std::invalid_argument when one of them is null.
template <typename... Pointers>
void RequireAll(const char* function, const Pointers*... pointers) {
  if ((... && (pointers != nullptr))) return;
  throw std::invalid_argument(std::string(function) +
                              " was called with null; expected all of its objects and arguments");
}

/// A copy as long as this host knows it.
/// Errors: std::invalid_argument when it ends within a field, or says what this host does not know.
template <typename Struct>
Struct Read(const Struct& given) {
  RequireWhole(given.size_bytes, alignof(Struct));
  return c_form::Copy(given);
}

/// A struct of the host that a backend has filled. Its size stays what the host knows.
template <typename Struct>
Struct Whole(Struct filled) {
  filled.size_bytes = sizeof(Struct);
  return filled;
}

/// Errors of all: std::invalid_argument for what is not there, or contradicts itself.
BackendOption ReadOption(const bp_named_value& given);
OptionSchema ReadSchema(const bp_option_schema& given);
TensorInfo ReadInfo(const bp_tensor_info& given);
/// Checks the descriptor of a custom layer, which is read where it lies.
void RequireCustom(const bp_custom_descriptor& given);
/// `most`: as many layers or slots as a part can have.
SubgraphView ReadPart(const bp_part& given, std::uint64_t most);

/// The tensor infos of the outputs of a layer.
class Infos {
 public:
  /// `most`: as many as there can be.
  /// Errors: as above, also for one that is null.
  Infos(const bp_layer& layer, std::uint64_t most);
  const TensorInfo* const* Get() const { return pointers_.data(); }

 private:
  std::deque<TensorInfo> infos_;
  std::vector<const TensorInfo*> pointers_;
};

}  // namespace backplane::backend
