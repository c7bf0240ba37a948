#include "execution/fence_fault.hpp"

#include "tensors/status_text.hpp"

namespace backplane {

namespace {

const char* NameKind(FenceKind kind) {
  if (kind == FenceKind::kOpaque) return "kOpaque";
  return kind == FenceKind::kSyncFile ? "kSyncFile" : "kEventFd";
}

std::string NameFence(const FenceView& fence) {
  const std::string name = std::string("a completion fence of the kind ") + NameKind(fence.kind);
  if (fence.kind == FenceKind::kOpaque) return name;
  return name + " with the file descriptor " + std::to_string(fence.file_descriptor);
}

std::string DescribeFound(const FenceFault& fault) {
  switch (fault.kind) {
    case FenceFault::Kind::kNoDescriptor:
      return NameFence(fault.fence);
    case FenceFault::Kind::kNotPolled:
      return NameFence(fault.fence) + ", for which poll does not wait";
    case FenceFault::Kind::kNotWaitedFor:
      return std::string("the status \"") + DescribeStatus(fault.answer) +
             "\" of WaitForFence for " + NameFence(fault.fence);
    default:
      return "a completion fence of the kind " +
             std::to_string(static_cast<std::uint32_t>(fault.fence.kind));
  }
}

const char* GetExpected(FenceFault::Kind kind) {
  if (kind == FenceFault::Kind::kUnknownKind) return "kNone, kSyncFile, kEventFd or kOpaque";
  if (kind == FenceFault::Kind::kNotWaitedFor) return "\"success\", sooner or later";
  return "an open one that becomes readable when the work has finished";
}

}  // namespace

FenceFault::Kind FindFaultOf(const FenceView& fence) {
  switch (fence.kind) {
    case FenceKind::kNone:
    case FenceKind::kOpaque:
      return FenceFault::Kind::kNone;
    case FenceKind::kSyncFile:
    case FenceKind::kEventFd:
      return fence.file_descriptor < 0 ? FenceFault::Kind::kNoDescriptor : FenceFault::Kind::kNone;
  }
  return FenceFault::Kind::kUnknownKind;
}

std::string DescribeFault(const FenceFault& fault, const std::string& maker) {
  return "found " + DescribeFound(fault) + ", which " + maker + " made; expected " +
         GetExpected(fault.kind);
}

}  // namespace backplane
