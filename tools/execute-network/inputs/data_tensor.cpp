#include "inputs/data_tensor.hpp"

#include "arrays/npy_file.hpp"

namespace backplane::execute_network {

onnx::NamedTensor ReadDataTensor(const std::string& path) {
  switch (RecogniseDataFile(path)) {
    case DataFileKind::kTensorProto:
      return onnx::ReadTensorFile(path);
    case DataFileKind::kArray:
      return ParseNpy(ReadDataFile(path), path);
    case DataFileKind::kImage:
      break;
  }
  ThrowUnreadable(path, "it is an image; images are data for --input only",
                  "give an ONNX tensor (.pb) or a NumPy array (.npy)");
}

}  // namespace backplane::execute_network
