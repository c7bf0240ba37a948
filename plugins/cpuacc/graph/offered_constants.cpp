#include "graph/offered_constants.hpp"

#include "memory/aligned_memory.hpp"

#include <cstring>
#include <exception>

namespace backplane {
namespace cpuacc {
namespace {

std::shared_ptr<const void> Copy(const ConstTensor& constant) {
  std::shared_ptr<void> copy = AllocateAligned(constant.info.GetSizeBytes());
  std::memcpy(copy.get(), constant.data, constant.info.GetSizeBytes());
  return copy;
}

}  // namespace

OfferedConstants::OfferedConstants(const OptimizeSubgraphArgs& args, Note note)
    : args_(args), note_(std::move(note)), offer_(std::make_shared<Offer>(Offer{args.builder})) {}

OfferedConstants::~OfferedConstants() {
  offer_->builder = nullptr;
}

std::shared_ptr<const void> OfferedConstants::Share(LayerId layer, std::uint32_t input,
                                                    const ConstTensor& constant) {
  // One without elements may have no content.
  if (constant.info.GetSizeBytes() == 0) return AllocateAligned(0);
  Known& known = known_[constant.data];
  std::shared_ptr<const void> content = known.content.lock();
  if (!content) {
    std::shared_ptr<const void> owner;
    if (args_.reader->ShareConstant(layer, input, &owner) != Status::kSuccess) {
      owner = Copy(constant);
    }
    known.readers = std::make_shared<Readers>();
    const auto release = [offer = offer_, readers = known.readers, owner](const void*) mutable {
      owner.reset();
      if (offer->builder == nullptr || std::uncaught_exceptions() != 0) return;
      for (const auto& [reader, index] : *readers)
        static_cast<void>(offer->builder->ReleaseConstant(reader, index));
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
