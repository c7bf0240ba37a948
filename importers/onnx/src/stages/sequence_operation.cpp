#include "diagnostics/throw_diagnostic.hpp"
#include "nodes/node.hpp"
#include "stages/stage_operations.hpp"
#include "stages/stage_shapes.hpp"
#include "stages/unbound_operation.hpp"
#include "tensors/shape.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <utility>

namespace backplane::onnx {
namespace {

using StageValues = std::vector<StageValue>;

/// A node while it is run.
struct Call {
  [[noreturn]] void Refuse(const std::string& found, const std::string& expected) const {
    ThrowError(DiagnosticCode::kStageFailed, {SubjectKind::kLayer, description},
               description + " cannot be run", "found " + found + "; expected " + expected,
               "correct the model, or give other data");
  }

  bool Has(std::size_t index) const {
    return index < inputs.size() && inputs[index].kind != StageValue::Kind::kNone;
  }

  const StageValue& Get(std::size_t index, StageValue::Kind kind) const {
    if (index < inputs.size() && inputs[index].kind == kind) return inputs[index];
    Refuse("another kind of value as input " + std::to_string(index),
           kind == StageValue::Kind::kSequence ? "a sequence" : "a tensor");
  }

  const StageValues& GetSequence(std::size_t index) const {
    return Get(index, StageValue::Kind::kSequence).elements;
  }
  const StageValue& GetTensor(std::size_t index) const {
    return Get(index, StageValue::Kind::kTensor);
  }

  std::vector<std::int64_t> ReadInts(std::size_t index) const {
    const StageValue& tensor = GetTensor(index);
    const auto count = static_cast<std::size_t>(tensor.info.shape.GetNumElements());
    std::vector<std::int64_t> numbers(count);
    if (tensor.info.data_type == DataType::kInt64) {
      std::memcpy(numbers.data(), tensor.data.get(), count * sizeof(std::int64_t));
    } else if (tensor.info.data_type == DataType::kInt32) {
      const auto* from = static_cast<const std::int32_t*>(tensor.data.get());
      std::copy_n(from, count, numbers.begin());
    } else {
      Refuse(std::string(GetDataTypeName(tensor.info.data_type)) + " as input " +
                 std::to_string(index),
             "int64 or int32");
    }
    return numbers;
  }

  /// A place in a list of `count`, counted from its end when it is below 0.
  std::size_t ReadPlace(std::size_t index, std::size_t count) const {
    const std::size_t place = ReadPlaceOrEnd(index, count);
    if (place == count) RefusePlace(index, count);
    return place;
  }

  /// Also the place behind the last.
  std::size_t ReadPlaceOrEnd(std::size_t index, std::size_t count) const {
    const auto size = static_cast<std::int64_t>(count);
    const std::int64_t number = ReadPosition(index);
    const std::int64_t place = number < 0 ? number + size : number;
    if (place < 0 || place > size) RefusePlace(index, count);
    return static_cast<std::size_t>(place);
  }

  std::int64_t ReadPosition(std::size_t index) const {
    const std::vector<std::int64_t> numbers = ReadInts(index);
    if (numbers.size() != 1) Refuse(std::to_string(numbers.size()) + " positions", "one");
    return numbers[0];
  }

  [[noreturn]] void RefusePlace(std::size_t index, std::size_t count) const {
    Refuse("position " + std::to_string(ReadPosition(index)),
           "one of a list of " + std::to_string(count));
  }

  std::uint32_t ResolveAxis(std::int64_t axis, std::uint32_t rank) const {
    const std::int64_t place = axis < 0 ? axis + rank : axis;
    if (place < 0 || place >= rank) {
      Refuse("axis " + std::to_string(axis), "an axis of rank " + std::to_string(rank));
    }
    return static_cast<std::uint32_t>(place);
  }

  const std::string& description;
  const StageValues& inputs;
  IStageRunner& runner;
};

template <typename Element>
StageValue MakeScalarOf(Element element, DataType type, IStageRunner& runner) {
  const std::shared_ptr<void> data = runner.Allocate(sizeof(element));
  std::memcpy(data.get(), &element, sizeof(element));
  return MakeStageTensor(TensorInfo(TensorShape(), type), data);
}

struct SequenceAttributes {
  std::int64_t axis = 0;
  bool keeps_axis = true;
  bool has_new_axis = false;
};

StageValue Insert(const Call& call) {
  StageValues elements = call.GetSequence(0);
  const std::size_t place = call.Has(2) ? call.ReadPlaceOrEnd(2, elements.size()) : elements.size();
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(place), call.GetTensor(1));
  return MakeStageSequence(std::move(elements));
}

StageValue Erase(const Call& call) {
  StageValues elements = call.GetSequence(0);
  if (elements.empty()) call.Refuse("an empty sequence", "one with an element to erase");
  const std::size_t place = call.Has(1) ? call.ReadPlace(1, elements.size()) : elements.size() - 1;
  elements.erase(elements.begin() + static_cast<std::ptrdiff_t>(place));
  return MakeStageSequence(std::move(elements));
}

std::vector<std::int64_t> ReadSizes(const Call& call, std::int64_t extent) {
  if (!call.Has(1)) return std::vector<std::int64_t>(static_cast<std::size_t>(extent), 1);
  std::vector<std::int64_t> sizes = call.ReadInts(1);
  if (call.GetTensor(1).info.shape.rank == 0) {
    const std::int64_t size = sizes[0];
    if (size < 1) call.Refuse("parts of " + std::to_string(size), "a size above 0");
    sizes.assign(static_cast<std::size_t>(extent / size), size);
    if (extent % size != 0) sizes.push_back(extent % size);
  }
  std::int64_t left = extent;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > left) {
      call.Refuse("a part of " + std::to_string(size) + " where " + std::to_string(left) +
                      " are left of " + std::to_string(extent),
                  "parts that add up to it");
    }
    left -= size;
  }
  if (left != 0) {
    call.Refuse("parts that leave " + std::to_string(left) + " of " + std::to_string(extent),
                "parts that add up to it");
  }
  return sizes;
}

StageValue SplitToSequence(const Call& call, const SequenceAttributes& attributes) {
  const StageValue& tensor = call.GetTensor(0);
  const std::uint32_t axis = call.ResolveAxis(attributes.axis, tensor.info.shape.rank);
  StageValues parts;
  std::int64_t begin = 0;
  for (const std::int64_t size : ReadSizes(call, tensor.info.shape[axis])) {
    StageValue part = TakeStagePart(tensor, axis, begin, size, call.runner);
    if (!call.Has(1) && !attributes.keeps_axis)
      part.info.shape = WithoutAxis(part.info.shape, axis);
    parts.push_back(std::move(part));
    begin += size;
  }
  return MakeStageSequence(std::move(parts));
}

StageValue ConcatFromSequence(const Call& call, const SequenceAttributes& attributes) {
  StageValues elements = call.GetSequence(0);
  if (elements.empty()) call.Refuse("an empty sequence", "one with tensors");
  const std::uint32_t rank = elements[0].info.shape.rank + (attributes.has_new_axis ? 1 : 0);
  if (rank > kMaxRank) {
    call.Refuse("tensors of rank " + std::to_string(kMaxRank) + " to join along a new axis",
                "a lower rank");
  }
  const std::uint32_t axis = call.ResolveAxis(attributes.axis, rank);
  for (StageValue& element : elements) {
    if (element.kind != StageValue::Kind::kTensor) call.Refuse("sequences within it", "tensors");
    if (attributes.has_new_axis) element.info.shape = WithAxis(element.info.shape, axis);
    if (!CanBeJoined(elements[0].info, element.info, axis)) {
      call.Refuse(ToText(element.info.shape) + " beside " + ToText(elements[0].info.shape),
                  "tensors of one type that differ in axis " + std::to_string(axis) + " only");
    }
  }
  return JoinStageTensors(elements, axis, call.runner);
}

StageValue GetElement(const Call& call) {
  if (call.Has(0)) return call.inputs[0];
  call.Refuse("an optional without content", "one with");
}

using RunSequence = StageValue (*)(const Call& call, const SequenceAttributes& attributes);

struct SequenceRow {
  const char* op_type;
  RunSequence run;
};

constexpr SequenceRow kSequenceRows[] = {
    {"ConcatFromSequence", &ConcatFromSequence},
    {"Optional",
     [](const Call& call, const SequenceAttributes&) {
       return call.Has(0) ? call.inputs[0] : StageValue();
     }},
    {"OptionalGetElement",
     [](const Call& call, const SequenceAttributes&) { return GetElement(call); }},
    {"OptionalHasElement",
     [](const Call& call, const SequenceAttributes&) {
       return MakeScalarOf<unsigned char>(call.Has(0) ? 1 : 0, DataType::kBool, call.runner);
     }},
    {"SequenceAt",
     [](const Call& call, const SequenceAttributes&) {
       const StageValues& elements = call.GetSequence(0);
       return elements[call.ReadPlace(1, elements.size())];
     }},
    {"SequenceConstruct",
     [](const Call& call, const SequenceAttributes&) { return MakeStageSequence(call.inputs); }},
    {"SequenceEmpty", [](const Call&, const SequenceAttributes&) { return MakeStageSequence({}); }},
    {"SequenceErase", [](const Call& call, const SequenceAttributes&) { return Erase(call); }},
    {"SequenceInsert", [](const Call& call, const SequenceAttributes&) { return Insert(call); }},
    {"SequenceLength",
     [](const Call& call, const SequenceAttributes&) {
       return MakeScalarOf(static_cast<std::int64_t>(call.GetSequence(0).size()), DataType::kInt64,
                           call.runner);
     }},
    {"SplitToSequence", &SplitToSequence},
};

class SequenceOperation final : public IStageOperation {
 public:
  SequenceOperation(std::string description, RunSequence run, const SequenceAttributes& attributes)
      : description_(std::move(description)), run_(run), attributes_(attributes) {}

  const std::string& GetDescription() const override { return description_; }

  StageValues Run(const StageValues& inputs, IStageRunner& runner) const override {
    return {run_({description_, inputs, runner}, attributes_)};
  }

 private:
  const std::string description_;
  const RunSequence run_;
  const SequenceAttributes attributes_;
};

}  // namespace

UnboundOperation MakeSequence(const OperationSource& source) {
  Node node(source.proto, static_cast<std::size_t>(source.index), source.scope);
  const SequenceRow* const row = std::find_if(
      std::begin(kSequenceRows), std::end(kSequenceRows),
      [&](const SequenceRow& entry) { return entry.op_type == source.proto.op_type(); });
  SequenceAttributes attributes;
  attributes.axis = node.GetAttributes().FindInt("axis").value_or(0);
  attributes.keeps_axis = node.GetAttributes().GetFlag("keepdims", true);
  attributes.has_new_axis = node.GetAttributes().GetFlag("new_axis");
  return {std::make_shared<SequenceOperation>(node.GetDescription(), row->run, attributes),
          {source.proto.input().begin(), source.proto.input().end()}};
}

}  // namespace backplane::onnx
