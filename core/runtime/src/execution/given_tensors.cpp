#include "execution/given_tensors.hpp"

#include <unistd.h>

#include <utility>

namespace backplane {

OwnDescriptor::~OwnDescriptor() {
  if (descriptor_ >= 0) close(descriptor_);
}

ImportedTensorId GivenTensors::Add(std::unique_ptr<GivenTensor> given) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tensors_.emplace(++last_id_, std::move(given));
  return last_id_;
}

bool GivenTensors::Release(ImportedTensorId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tensors_.find(id);
  if (found == tensors_.end() || found->second->is_in_use) return false;
  for (const auto& made : found->second->made) {
    for (TensorHandle& handle : made.second->handles) {
      static_cast<void>(handle.ForOthers()->Unimport());
    }
  }
  tensors_.erase(found);
  return true;
}

const ImportedTensor* GivenTensors::Take(ImportedTensorId id, BindingKind kind,
                                         LayerBindingId binding, const void* placement,
                                         const Make& make) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = tensors_.find(id);
  if (found == tensors_.end()) return nullptr;
  GivenTensor& given = *found->second;
  if (given.is_in_use || given.kind != kind || given.binding != binding) return nullptr;
  auto made = given.made.find(placement);
  if (made == given.made.end()) made = given.made.emplace(placement, make(given)).first;
  given.is_in_use = true;
  return made->second.get();
}

void GivenTensors::GiveBack(ImportedTensorId id) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tensors_.at(id)->is_in_use = false;
}

void GivenTensors::Forget(const void* placement) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& tensor : tensors_) tensor.second->made.erase(placement);
}

}  // namespace backplane
