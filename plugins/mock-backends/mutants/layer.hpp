#pragma once

/// A layer as a workload keeps it: what it was made from is gone.

#include <backplane/api/descriptor.hpp>
#include <backplane/api/i_workload_factory.hpp>

#include <vector>

namespace mutants {

class Layer {
 public:
  explicit Layer(const backplane::WorkloadArgs& args)
      : type(args.layer_type),
        inputs(Copy(args.inputs, args.num_inputs)),
        outputs(Copy(args.outputs, args.num_outputs)) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(args.descriptor);
    descriptor_bytes_.assign(bytes, bytes + args.descriptor->size_bytes);
    for (std::uint32_t i = 0; i < args.num_inputs; ++i) {
      is_constant.push_back(args.constants != nullptr && args.constants[i] != nullptr);
    }
  }

  const backplane::BaseDescriptor& GetDescriptor() const {
    return *reinterpret_cast<const backplane::BaseDescriptor*>(descriptor_bytes_.data());
  }

  backplane::LayerType type;
  std::vector<backplane::TensorInfo> inputs;
  std::vector<backplane::TensorInfo> outputs;
  std::vector<bool> is_constant;  // for each input

 private:
  static std::vector<backplane::TensorInfo> Copy(const backplane::TensorInfo* const* infos,
                                                 std::uint32_t count) {
    std::vector<backplane::TensorInfo> copies;
    for (std::uint32_t i = 0; i < count; ++i) copies.push_back(*infos[i]);
    return copies;
  }

  std::vector<unsigned char> descriptor_bytes_;
};

}  // namespace mutants
