#pragma once

/// Handles of tensors of any data type, and tensors of given elements.

#include "conformance/typed_tensor.hpp"

#include <algorithm>
#include <cassert>

namespace backplane {
namespace conformance {

/// The handles of tensors, which must outlive them.
class StoredHandles {
 public:
  explicit StoredHandles(std::vector<StoredTensor>& tensors) {
    for (StoredTensor& tensor : tensors) {
      handles_.push_back(std::make_unique<MemoryHandle>(tensor.info, tensor.bytes.data()));
      pointers_.push_back(handles_.back().get());
    }
  }

  const std::vector<ITensorHandle*>& Get() const { return pointers_; }

 private:
  std::vector<std::unique_ptr<MemoryHandle>> handles_;
  std::vector<ITensorHandle*> pointers_;
};

/// Elements as they are stored, of the C++ type that goes with the data type.
template <typename Element>
StoredTensor MakeStored(const TensorInfo& info, const std::vector<Element>& elements) {
  StoredTensor tensor(info);
  assert(tensor.bytes.size() == elements.size() * sizeof(Element));
  std::copy_n(reinterpret_cast<const unsigned char*>(elements.data()), tensor.bytes.size(),
              tensor.bytes.begin());
  return tensor;
}

/// Elements as the numbers that they are.
inline StoredTensor MakeElements(const TensorInfo& info, const std::vector<long double>& elements) {
  StoredTensor tensor(info);
  assert(tensor.info.shape.GetNumElements() == static_cast<std::int64_t>(elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i) SetElement(tensor, i, elements[i]);
  return tensor;
}

/// A tensor of rank 1.
template <typename Element>
StoredTensor MakeStored(DataType type, const std::vector<Element>& elements) {
  return MakeStored(TensorInfo({static_cast<std::int64_t>(elements.size())}, type), elements);
}

template <typename Element>
std::vector<Element> GetStored(const StoredTensor& tensor) {
  std::vector<Element> elements(tensor.bytes.size() / sizeof(Element));
  std::copy_n(tensor.bytes.begin(), tensor.bytes.size(),
              reinterpret_cast<unsigned char*>(elements.data()));
  return elements;
}

}  // namespace conformance
}  // namespace backplane
