#pragma once

#include <backplane/runtime/network_source.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace backplane::staging {

/// kStageFailed, of an operation. `why` says what was found and what was expected.
[[noreturn]] void ThrowStageError(const IStageOperation& operation, const std::string& why);

/// Errors: kStageFailed when there are fewer than `least`.
void RequireCount(const IStageOperation& operation, const char* what, std::size_t found,
                  std::size_t least);

/// The only element of a tensor. Errors: kStageFailed when it is no such tensor.
bool ReadBool(const IStageOperation& operation, const char* what, const StageValue& value);
std::int64_t ReadInt(const IStageOperation& operation, const char* what, const StageValue& value);

StageValue MakeScalar(std::int64_t number, IStageRunner& runner);
StageValue MakeScalar(bool truth, IStageRunner& runner);

/// One index of an axis, without that axis.
StageValue TakeIndex(const StageValue& tensor, std::uint32_t axis, std::int64_t index,
                     IStageRunner& runner);

}  // namespace backplane::staging
