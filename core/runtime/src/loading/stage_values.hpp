#pragma once

#include <backplane/api/memory_view.hpp>
#include <backplane/runtime/network_source.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backplane::loading {

/// kStageFailed, of an operation. `why` says what was found and what was expected.
[[noreturn]] void ThrowStageError(const IStageOperation& operation, const std::string& why);

/// Errors: kStageFailed when there are fewer than `least`.
void RequireCount(const IStageOperation& operation, const char* what, std::size_t found,
                  std::size_t least);

/// The only element of a tensor. Errors: kStageFailed when it is no such tensor.
bool ReadBool(const IStageOperation& operation, const char* what, const StageValue& value);
std::int64_t ReadInt(const IStageOperation& operation, const char* what, const StageValue& value);

/// A tensor of one element. Every extent of the shape is 1.
StageValue MakeOne(std::int64_t number, const TensorShape& shape, IStageRunner& runner);
StageValue MakeOne(bool truth, const TensorShape& shape, IStageRunner& runner);

/// A dense tensor that lies there.
MemoryView MakeStageView(const TensorInfo& info, const void* data);

/// One index of an axis, without that axis.
StageValue TakeIndex(const StageValue& tensor, std::uint32_t axis, std::int64_t index,
                     IStageRunner& runner);

}  // namespace backplane::loading
