#include <backplane/runtime/stage_value.hpp>

#include <utility>

namespace backplane {

StageValue MakeStageTensor(const TensorInfo& info, std::shared_ptr<const void> data) {
  StageValue value;
  value.kind = StageValue::Kind::kTensor;
  value.info = info;
  value.data = std::move(data);
  return value;
}

StageValue MakeStageSequence(std::vector<StageValue> elements) {
  StageValue value;
  value.kind = StageValue::Kind::kSequence;
  value.elements = std::move(elements);
  return value;
}

}  // namespace backplane
