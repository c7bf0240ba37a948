#pragma once

/// What mistakes do to the tensors of a run, byte by byte.

#include "run.hpp"

#include <cstddef>
#include <cstring>

namespace mutants {

/// A tensor as it lies in memory. Without bytes when it is not dense.
struct Bytes {
  unsigned char* data = nullptr;
  std::size_t size = 0;
};

inline Bytes GetBytes(const memory_mock::Elements& elements) {
  unsigned char* const data = elements.FindDense();
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(elements.CountBytes())};
}

/// Calls `change(value)` for each element of the outputs that have this type.
template <typename Element, typename Change>
void ForEachElement(const Run& run, backplane::DataType type, const Change& change) {
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    if (run.layer.outputs[i].data_type != type) continue;
    const Bytes bytes = GetBytes(run.outputs[i]);
    for (std::size_t at = 0; at + sizeof(Element) <= bytes.size; at += sizeof(Element)) {
      Element value{};
      std::memcpy(&value, bytes.data + at, sizeof(value));
      const Element changed = change(value);
      std::memcpy(bytes.data + at, &changed, sizeof(changed));
    }
  }
}

/// Calls `use(bytes)` for each input with bytes that is, or is not, a constant.
template <typename Use>
void ForEachInput(const Run& run, bool is_constant, const Use& use) {
  for (std::size_t i = 0; i < run.inputs.size(); ++i) {
    const Bytes bytes = GetBytes(run.inputs[i]);
    if (bytes.size != 0 && run.layer.is_constant[i] == is_constant) use(bytes);
  }
}

/// Calls `use(bytes)` for each output with bytes.
template <typename Use>
void ForEachOutput(const Run& run, const Use& use) {
  for (const memory_mock::Elements& output : run.outputs) {
    const Bytes bytes = GetBytes(output);
    if (bytes.size != 0) use(bytes);
  }
}

}  // namespace mutants
