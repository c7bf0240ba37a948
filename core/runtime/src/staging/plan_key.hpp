#pragma once

#include <backplane/runtime/network_source.hpp>

#include <string>
#include <vector>

namespace backplane::staging {

/// What plans are told apart by: types, shapes and quantization of values, and, of those that have
/// data, their elements.
std::string MakePlanKey(const std::vector<StageValue>& values);
std::string MakePlanKey(const std::vector<StageValue>& made, const std::vector<StageValue>& wanted);

}  // namespace backplane::staging
