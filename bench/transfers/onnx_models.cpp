#include "networks.hpp"

#include <backplane/host/diagnostic.hpp>
#include <backplane/onnx/import_model.hpp>

namespace bench {

namespace {

// One for all that the model leaves open.
backplane::onnx::ImportOptions CloseShapes(const std::string& path) {
  backplane::onnx::ImportOptions options;
  for (const backplane::onnx::ModelInput& input : backplane::onnx::ReadModelInputs(path)) {
    backplane::TensorShape shape;
    shape.rank = static_cast<std::uint32_t>(input.dims.size());
    for (std::uint32_t axis = 0; axis < shape.rank; ++axis) {
      shape[axis] = input.dims[axis] < 0 ? 1 : input.dims[axis];
    }
    options.input_shapes[input.name] = shape;
  }
  return options;
}

}  // namespace

std::unique_ptr<backplane::INetwork> ImportModel(const std::string& folder) {
  const std::string path = folder + "/model.onnx";
  try {
    return backplane::onnx::ImportModel(path, CloseShapes(path)).network;
  } catch (const backplane::DiagnosticException&) {
    return nullptr;
  }
}

}  // namespace bench
