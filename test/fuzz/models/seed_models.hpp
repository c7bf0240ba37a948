#pragma once

/// Small models that can be imported, to be damaged. Each is of another part of the importer.

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace backplane::fuzz {

struct SeedModel {
  std::string name;
  ::onnx::ModelProto model;
};

/// One of them has data in a file "weights.bin" beside it, of kExternalBytes.
std::vector<SeedModel> MakeSeedModels();

constexpr int kExternalBytes = 64;

}  // namespace backplane::fuzz
