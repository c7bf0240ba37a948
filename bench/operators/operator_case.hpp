#pragma once

#include <backplane/api/descriptors.hpp>
#include <backplane/api/layer_type.hpp>
#include <backplane/runtime/i_network.hpp>

#include <memory>
#include <string>
#include <vector>

namespace bench {

enum class Given { kAtEveryRun, kConstant };

struct CaseInput {
  backplane::TensorInfo info;
  Given given = Given::kAtEveryRun;
  std::int64_t greatest = 1;  // integers are random from 0 to this
};

/// One layer of a size that networks have.
struct OperatorCase {
  std::string name;
  backplane::LayerType type = backplane::LayerType::kUndefined;
  std::shared_ptr<backplane::BaseDescriptor> descriptor;
  std::vector<CaseInput> inputs;
  double operations = 0;  // multiplications and additions of one run; 0: its bytes are counted
  std::vector<backplane::OutputType> stated = {};
};

inline CaseInput Float(const backplane::TensorShape& shape) {
  return {{shape, backplane::DataType::kFloat32}, Given::kAtEveryRun, 1};
}
inline CaseInput Weights(const backplane::TensorShape& shape) {
  return {{shape, backplane::DataType::kFloat32}, Given::kConstant, 1};
}
inline CaseInput Indices(const backplane::TensorShape& shape, std::int64_t greatest) {
  return {{shape, backplane::DataType::kInt64}, Given::kAtEveryRun, greatest};
}

template <typename Descriptor, typename Function>
std::shared_ptr<backplane::BaseDescriptor> Describe(const Function& set) {
  auto descriptor = std::make_shared<Descriptor>();
  set(*descriptor);
  return descriptor;
}
template <typename Descriptor>
std::shared_ptr<backplane::BaseDescriptor> Describe() {
  return std::make_shared<Descriptor>();
}

/// Each in its file.
std::vector<OperatorCase> MakeAxisCases();
std::vector<OperatorCase> MakeElementCases();
std::vector<OperatorCase> MakeMovementCases();
std::vector<OperatorCase> MakeProductCases();
std::vector<OperatorCase> MakeSequenceCases();
std::vector<OperatorCase> MakeWindowCases();

}  // namespace bench
