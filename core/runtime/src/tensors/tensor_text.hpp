#pragma once

#include <backplane/api/tensor_info.hpp>

#include <string>
#include <vector>

namespace backplane {

/// "[1, 3, 224, 224]"; "[]" for a scalar.
std::string DescribeShape(const TensorShape& shape);

/// "float32 [1, 3, 224, 224]", for messages.
std::string DescribeTensor(const TensorInfo& info);

/// Several, separated by commas; "none" for no tensors.
std::string DescribeTensors(const std::vector<const TensorInfo*>& infos);

}  // namespace backplane
