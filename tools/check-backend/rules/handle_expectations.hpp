#pragma once

/// What rules about tensor handles of a backend's own kinds share.

#include "harness/expectations.hpp"
#include "harness/kind_tensor.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace backplane::check_backend {

/// For Session::Skip.
constexpr char kNoneKnown[] = "none of its kinds of tensor memory has a known layout";

/// Calls `check(kind, info)` for each tensor of each kind for which `applies(kind)`, as a case.
/// `otherwise`: for Session::Skip, when there was none.
void ForEachTensor(Session& session, const std::string& done, const std::string& otherwise,
                   const std::function<bool(const Kind&)>& applies,
                   const std::function<void(const Kind&, const TensorInfo&)>& check);

/// A handle that is ready to be used, with its block.
struct BoundHandle {
  /// Errors: std::runtime_error when Bind fails.
  BoundHandle(const Kind& kind, const TensorInfo& info);

  MemoryRequirements needed;
  std::unique_ptr<KindBlock> block;  // null: handles of this kind manage their own memory
  std::unique_ptr<ITensorHandle> handle;
};

std::string DescribePlace(const MemoryView* view);

/// Views of the same place. Null is another place than any other.
bool IsSamePlace(const std::optional<MemoryView>& before, const MemoryView* view);

std::optional<MemoryView> KeepView(const ITensorHandle& handle);

/// The handle gives the view that it gave before.
void ExpectAsBefore(Session& session, const ITensorHandle& handle,
                    const std::optional<MemoryView>& before, const std::string& when);

/// What is wrong with the tensor that a view describes; "" when it is this one.
std::string FindTensorFault(const TensorInfo& info, const MemoryView& view);

/// The view is of known layout and of this tensor. `of`: the call that gave it.
void ExpectTensor(Session& session, const TensorInfo& info, const MemoryView& view,
                  const std::string& of);

/// As ExpectStatus. `why`: "as the handle is not bound".
void ExpectAnswer(Session& session, const std::string& call, Status found, Status wanted,
                  const std::string& why);

/// Map gives a view of the tensor. False: it is not to be used, and maybe the handle is not mapped.
bool MapFor(Session& session, ITensorHandle& handle, MemoryAccess access, const TensorInfo& info,
            MemoryView* view);

/// Mapped for reading, the tensor holds the content. `otherwise`: what is told when not. False: it
/// could not be mapped.
bool ExpectMapped(Session& session, ITensorHandle& handle, const conformance::StoredTensor& content,
                  const std::string& otherwise);

}  // namespace backplane::check_backend
