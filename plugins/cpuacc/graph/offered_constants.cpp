#include "graph/offered_constants.hpp"

#include "memory/aligned_memory.hpp"

#include <cstring>
#include <exception>

namespace backplane {
namespace cpuacc {

std::shared_ptr<const void> CopyContent(const ConstTensor& constant) {
  const std::uint64_t size_bytes = constant.info.GetSizeBytes();
  std::shared_ptr<void> copy = AllocateAligned(size_bytes);
  if (size_bytes != 0) std::memcpy(copy.get(), constant.data, size_bytes);
  return copy;
}

OfferedConstants::OfferedConstants(const OptimizeSubgraphArgs& args, Note note)
    : args_(args),
      note_(std::move(note)),
      offer_(std::make_shared<Offer>(Offer{args.builder, {}})) {}

OfferedConstants::~OfferedConstants() {
  offer_->builder = nullptr;
}

void OfferedConstants::Offer::Release(const Readers& readers) const {
  if (builder == nullptr) return;
  for (const auto& [reader, index] : readers) {
    static_cast<void>(builder->ReleaseConstant(reader, index));
  }
}

std::function<void(const std::shared_ptr<const void>& content)> OfferedConstants::GetRelease()
    const {
  return [offer = offer_](const std::shared_ptr<const void>& content) {
    const auto found = offer->known.find(content.get());
    if (found != offer->known.end()) offer->Release(*found->second.readers);
  };
}

std::shared_ptr<const void> OfferedConstants::Share(LayerId layer, std::uint32_t input,
                                                    const ConstTensor& constant) {
  // One without elements may have no content.
  if (constant.info.GetSizeBytes() == 0) return AllocateAligned(0);
  Known& known = offer_->known[constant.data];
  std::shared_ptr<const void> content = known.content.lock();
  if (!content) {
    std::shared_ptr<const void> owner;
    if (args_.reader->ShareConstant(layer, input, &owner) != Status::kSuccess) {
      owner = CopyContent(constant);
    }
    known.readers = std::make_shared<Readers>();
    const auto release = [offer = offer_, readers = known.readers, owner](const void*) mutable {
      owner.reset();
      if (std::uncaught_exceptions() == 0) offer->Release(*readers);
    };
    content = std::shared_ptr<const void>(owner.get(), release);
    known.content = content;
    if (note_) note_(content, constant);
  }
  known.readers->emplace_back(layer, input);
  return content;
}

}  // namespace cpuacc
}  // namespace backplane
