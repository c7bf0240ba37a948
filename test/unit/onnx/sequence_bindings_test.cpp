#include "model_builder.hpp"
#include "open_model.hpp"

#include <backplane/runtime/stage_value.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace backplane::onnx::test {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<std::int64_t>;

::onnx::ModelProto MakeAppend() {
  return MakeModelOf(
      "f (float[N] many, float[N] one, int64 place) => (float[N] more, float[A] joined) {"
      "  more = SequenceInsert(many, one, place)"
      "  joined = ConcatFromSequence <axis = 0> (more) }",
      {{"many", "more"}, {}});
}

::onnx::ModelProto MakeOptional() {
  return MakeModelOf(
      "f (float[N] maybe) => (bool is_there, float[N] same) {"
      "  is_there = OptionalHasElement(maybe)"
      "  same = Identity(maybe) }",
      {{}, {"maybe", "same"}});
}

StageValue MakeTensor(const Floats& elements) {
  const auto data = std::make_shared<Floats>(elements);
  TensorShape shape;
  shape.Append(static_cast<std::int64_t>(elements.size()));
  return MakeStageTensor({shape, DataType::kFloat32}, {data, data->data()});
}

Floats GetFloats(const StageValue& value) {
  const auto* const begin = static_cast<const float*>(value.data.get());
  return {begin, begin + value.info.shape.GetNumElements()};
}

InputTensor Give(LayerBindingId id, const StageValue& value) {
  InputTensor input;
  input.id = id;
  input.value = &value;
  return input;
}

InputTensor Give(LayerBindingId id, const Data& data) {
  InputTensor input;
  input.id = id;
  input.tensor = {data.info, data.bytes.data()};
  return input;
}

OutputTensor Want(LayerBindingId id, ResultTensor& result) {
  OutputTensor output;
  output.id = id;
  output.result = &result;
  return output;
}

/// Of MakeAppend, and what its runs give.
class Append {
 public:
  Append() : model(MakeAppend()) {}

  Status Run(const StageValue& many, const Data& one, std::int64_t place) {
    const Data at({}, Ints{place});
    return Run({Give(0, many), Give(1, one), Give(2, at)}, {Want(0, more), Want(1, joined)});
  }

  Status Run(const InputTensors& inputs, const OutputTensors& outputs) {
    failure.reset();
    return model.GetRuntime().EnqueueWorkload(model.GetId(), inputs, outputs, {}, &failure);
  }

  OpenModel model;
  ResultTensor more;
  ResultTensor joined;
  std::optional<Diagnostic> failure;
};

TEST(SequenceBindings, AreToldByTheNetworkAndTheModel) {
  OpenModel model(MakeAppend());
  const std::vector<NetworkBinding> inputs = model.GetNetwork().GetInputs();
  EXPECT_TRUE(inputs[0].is_sequence);
  EXPECT_FALSE(inputs[0].is_optional);
  EXPECT_EQ(inputs[0].info.data_type, DataType::kFloat32);
  EXPECT_FALSE(inputs[1].is_sequence);
  EXPECT_TRUE(model.GetNetwork().GetOutputs()[0].is_sequence);
  const ModelDescription described = DescribeModelFromMemory(MakeOptional().SerializeAsString());
  EXPECT_TRUE(described.inputs[0].is_optional);
  EXPECT_FALSE(described.inputs[0].is_sequence);
  EXPECT_EQ(described.inputs[0].data_type, DataType::kFloat32);
}

TEST(SequenceBindings, TakeWhatAnotherRunGave) {
  Append append;
  ASSERT_EQ(append.Run(MakeStageSequence({}), Data({2}, Floats{1, 2}), 0), Status::kSuccess)
      << ToText(*append.failure);
  const StageValue first = append.more.value;
  ASSERT_EQ(first.elements.size(), 1U);
  ASSERT_EQ(append.Run(first, Data({3}, Floats{3, 4, 5}), 0), Status::kSuccess);
  ASSERT_EQ(append.more.value.elements.size(), 2U);
  EXPECT_EQ(GetFloats(append.more.value.elements[0]), (Floats{3, 4, 5}));
  EXPECT_EQ(append.more.value.elements[1].data, first.elements[0].data);  // not copied
  EXPECT_EQ(append.joined.info.shape, (TensorShape{5}));
  EXPECT_EQ(GetFloats(first.elements[0]), (Floats{1, 2}));
}

// The tensor that was put in belongs to the application, and may change when the run is over.
TEST(SequenceBindings, GiveNoMemoryThatTheyBorrowed) {
  Append append;
  Data one({2}, Floats{1, 2});
  ASSERT_EQ(append.Run(MakeStageSequence({}), one, 0), Status::kSuccess);
  EXPECT_NE(append.more.value.elements[0].data.get(), one.bytes.data());
  one = Data({2}, Floats{7, 8});
  EXPECT_EQ(GetFloats(append.more.value.elements[0]), (Floats{1, 2}));
}

TEST(SequenceBindings, AreCheckedElementByElement) {
  Append append;
  StageValue wrong = MakeTensor({1});
  wrong.info.shape = TensorShape{1, 1};
  const Data one({2}, Floats{1, 2});
  EXPECT_EQ(append.Run(MakeStageSequence({MakeTensor({1}), wrong}), one, 0),
            Status::kInvalidArgument);
  EXPECT_EQ(append.failure->code, DiagnosticCode::kWrongTensorBinding);
  EXPECT_TRUE(Contains(append.failure->why,
                       "input 0 (\"many\") is a sequence of 2 (float32 [1], float32 [1, 1]), "
                       "expected a sequence of float32 [N]"))
      << append.failure->why;
  EXPECT_EQ(append.Run(MakeStageSequence({MakeStageSequence({})}), one, 0),
            Status::kInvalidArgument);
  EXPECT_EQ(append.Run(StageValue(), one, 0), Status::kInvalidArgument);
  EXPECT_TRUE(Contains(append.failure->why, "is nothing, expected a sequence"))
      << append.failure->why;
  EXPECT_EQ(append.Run(MakeTensor({1}), one, 0), Status::kInvalidArgument);
  StageValue empty = MakeTensor({1, 2});
  empty.data = nullptr;
  EXPECT_EQ(append.Run(MakeStageSequence({MakeTensor({1}), empty}), one, 0),
            Status::kInvalidArgument);
  EXPECT_TRUE(Contains(append.failure->why, "has no data, expected 8 bytes"))
      << append.failure->why;
  const Data at({}, Ints{0});
  EXPECT_EQ(append.Run({Give(0, one), Give(1, one), Give(2, at)},
                       {Want(0, append.more), Want(1, append.joined)}),
            Status::kInvalidArgument);
}

TEST(SequenceBindings, HaveNoRoom) {
  Append append;
  const StageValue many = MakeStageSequence({MakeTensor({1})});
  const Data one({2}, Floats{1, 2});
  const Data at({}, Ints{0});
  const InputTensors inputs = {Give(0, many), Give(1, one), Give(2, at)};
  float room[4] = {};
  OutputTensor output = Want(0, append.more);
  output.data = room;
  output.size_bytes = sizeof(room);
  EXPECT_EQ(append.Run(inputs, {output, Want(1, append.joined)}), Status::kInvalidArgument);
  EXPECT_TRUE(Contains(append.failure->why, "has room for a tensor, expected none"))
      << append.failure->why;
  output = OutputTensor();
  EXPECT_EQ(append.Run(inputs, {output, Want(1, append.joined)}), Status::kInvalidArgument);
  EXPECT_TRUE(Contains(append.failure->why, "has no ResultTensor, expected one"))
      << append.failure->why;
}

// Both outputs are one tensor; only one of them lies in memory of the application.
TEST(SequenceBindings, ShareNoRoomOfOtherOutputs) {
  OpenModel model(
      MakeModelOf("f (float[N] x) => (float[N] y, float[N] many) {"
                  "  y = Neg(x)"
                  "  many = SequenceConstruct(y, y) }",
                  {{"many"}, {}}));
  const Data x({2}, Floats{1, 2});
  float room[2] = {};
  ResultTensor many;
  OutputTensor y;
  y.id = 0;
  y.data = room;
  y.size_bytes = sizeof(room);
  std::optional<Diagnostic> failure;
  ASSERT_EQ(model.GetRuntime().EnqueueWorkload(model.GetId(), {Give(0, x)}, {y, Want(1, many)}, {},
                                               &failure),
            Status::kSuccess)
      << ToText(*failure);
  EXPECT_EQ(room[1], -2);
  ASSERT_EQ(many.value.elements.size(), 2U);
  room[1] = 5;
  EXPECT_EQ(GetFloats(many.value.elements[1]), (Floats{-1, -2}));
}

TEST(OptionalBindings, MayBeNothing) {
  OpenModel model(MakeOptional());
  ResultTensor is_there;
  ResultTensor same;
  std::optional<Diagnostic> failure;
  const auto run = [&](const InputTensor& input) {
    failure.reset();
    return model.GetRuntime().EnqueueWorkload(model.GetId(), {input},
                                              {Want(0, is_there), Want(1, same)}, {}, &failure);
  };
  const StageValue nothing;
  ASSERT_EQ(run(Give(0, nothing)), Status::kSuccess) << ToText(*failure);
  EXPECT_EQ(*static_cast<const bool*>(is_there.data.get()), false);
  EXPECT_EQ(same.value.kind, StageValue::Kind::kNone);
  const Data tensor({2}, Floats{1, 2});
  ASSERT_EQ(run(Give(0, tensor)), Status::kSuccess) << ToText(*failure);
  EXPECT_EQ(*static_cast<const bool*>(is_there.data.get()), true);
  EXPECT_EQ(GetFloats(same.value), (Floats{1, 2}));
  EXPECT_EQ(same.info.shape, (TensorShape{2}));
  EXPECT_NE(same.value.data.get(), tensor.bytes.data());
  const StageValue many = MakeStageSequence({});
  EXPECT_EQ(run(Give(0, many)), Status::kInvalidArgument);
  EXPECT_TRUE(Contains(failure->why, "is a sequence of 0 (), expected float32 [N], or nothing"))
      << failure->why;
}

TEST(OptionalBindings, LeaveRoomAsItIsWhenTheyAreNothing) {
  OpenModel model(MakeOptional());
  ResultTensor is_there;
  ResultTensor same;
  float room[4] = {9, 9, 9, 9};
  OutputTensor output = Want(1, same);
  output.data = room;
  output.size_bytes = sizeof(room);
  const auto run = [&](const StageValue& value) {
    return model.GetRuntime().EnqueueWorkload(model.GetId(), {Give(0, value)},
                                              {Want(0, is_there), output});
  };
  ASSERT_EQ(run(StageValue()), Status::kSuccess);
  EXPECT_EQ(room[0], 9);
  ASSERT_EQ(run(MakeTensor({1, 2})), Status::kSuccess);
  EXPECT_EQ(room[0], 1);
  EXPECT_EQ(room[2], 9);
  EXPECT_EQ(same.info.shape, (TensorShape{2}));
  EXPECT_EQ(same.value.data.get(), room);  // not what was given, which may go
  ASSERT_EQ(run(StageValue()), Status::kSuccess);
  EXPECT_EQ(same.info.shape, TensorShape());
  EXPECT_EQ(same.value.kind, StageValue::Kind::kNone);
}

TEST(SequenceBindings, GiveNoSequencesOfSequences) {
  OpenModel model(
      MakeModelOf("f (float[N] many) => (float[N] nested) { nested = SequenceConstruct(many) }",
                  {{"many", "nested"}, {}}));
  const StageValue many = MakeStageSequence({MakeTensor({1})});
  ResultTensor nested;
  std::optional<Diagnostic> failure;
  EXPECT_EQ(model.GetRuntime().EnqueueWorkload(model.GetId(), {Give(0, many)}, {Want(0, nested)},
                                               {}, &failure),
            Status::kInvalidArgument);
  EXPECT_TRUE(Contains(failure->why,
                       "is a sequence of 1 (a sequence of 1 (float32 [1])), "
                       "expected a sequence of float32 [N]"))
      << failure->why;
}

TEST(Values, AreTakenByNetworksOfTensorsWhenTheyAreTensors) {
  OpenModel model("f (float[2] x) => (float[2] y) { y = Neg(x) }");
  ASSERT_FALSE(model.IsOpen());
  const StageValue value = MakeTensor({1, 2});
  ResultTensor y;
  std::optional<Diagnostic> failure;
  const auto run = [&](const StageValue& given) {
    return model.GetRuntime().EnqueueWorkload(model.GetId(), {Give(0, given)}, {Want(0, y)}, {},
                                              &failure);
  };
  EXPECT_EQ(run(value), Status::kSuccess);
  EXPECT_EQ(static_cast<const float*>(y.data.get())[1], -2.0F);
  EXPECT_EQ(run(MakeStageSequence({value})), Status::kInvalidArgument);
  EXPECT_TRUE(Contains(failure->why,
                       "input 0 (\"x\") is a sequence of 1 (float32 [2]), expected float32 [2]"))
      << failure->why;
}

TEST(SequenceInputs, HaveNeitherShapesNorConstants) {
  ImportOptions options;
  options.input_shapes["many"] = {2};
  Diagnostic error = Catch([&] { OpenModel(MakeAppend(), options); });
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.what, "a shape is given for the input many, which is a sequence");
  options.input_shapes.clear();
  options.constants["many"] = {"many", {{0}, DataType::kFloat32}, {}};
  EXPECT_EQ(Catch([&] { OpenModel(MakeAppend(), options); }).code, DiagnosticCode::kWrongInput);
  options.constants.clear();
  options.must_be_fixed = true;
  const auto same = MakeModelOf("f (float[N] many) => (float[N] same) { same = Identity(many) }",
                                {{"many", "same"}, {}});
  error = Catch([&] { OpenModel(same, options); });
  EXPECT_EQ(error.code, DiagnosticCode::kWrongInput);
  EXPECT_EQ(error.what, "input many is a sequence");
}

TEST(SequenceInputs, AreReadByNodesForTensorsInVain) {
  OpenModel model(
      MakeModelOf("f (float[2] many) => (float[2] y) { y = Neg(many) }", {{"many"}, {}}));
  const StageValue many = MakeStageSequence({MakeTensor({1, 2})});
  ResultTensor y;
  std::optional<Diagnostic> failure;
  EXPECT_NE(model.GetRuntime().EnqueueWorkload(model.GetId(), {Give(0, many)}, {Want(0, y)}, {},
                                               &failure),
            Status::kSuccess);
  EXPECT_TRUE(
      Contains(ToText(*failure), "it reads many, which is a sequence; a tensor is expected"))
      << ToText(*failure);
}

TEST(SequenceMaps, RunTheirBodyForEachPlace) {
  OpenModel model(
      MakeModelOf("f (float[N] many, float[N] other, float[1] each) => (float[N] sums) {"
                  "  sums = SequenceMap (many, other, each) <"
                  "    body = b (float[N] x, float[N] y, float[1] z) => (float[N] sum) {"
                  "      both = Add(x, y)"
                  "      sum = Add(both, z) }> }",
                  {{"many", "other", "sums"}, {}}));
  const StageValue many = MakeStageSequence({MakeTensor({1, 2}), MakeTensor({3})});
  StageValue other = MakeStageSequence({MakeTensor({10, 20}), MakeTensor({30})});
  const Data each({1}, Floats{100});
  ResultTensor sums;
  std::optional<Diagnostic> failure;
  const auto run = [&] {
    return model.GetRuntime().EnqueueWorkload(model.GetId(),
                                              {Give(0, many), Give(1, other), Give(2, each)},
                                              {Want(0, sums)}, {}, &failure);
  };
  ASSERT_EQ(run(), Status::kSuccess) << ToText(*failure);
  ASSERT_EQ(sums.value.elements.size(), 2U);
  EXPECT_EQ(GetFloats(sums.value.elements[0]), (Floats{111, 122}));
  EXPECT_EQ(GetFloats(sums.value.elements[1]), (Floats{133}));
  other.elements.pop_back();
  EXPECT_EQ(run(), Status::kFailure);
  EXPECT_TRUE(Contains(ToText(*failure), "found a sequence of 1 as input 1; expected 2"))
      << ToText(*failure);
}

}  // namespace
}  // namespace backplane::onnx::test
