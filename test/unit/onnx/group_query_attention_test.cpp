#include "attention_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace backplane::onnx::test {
namespace {

/// What a model of GroupQueryAttention has: 4 heads of 4 elements in 2 groups.
struct GroupCase {
  std::int64_t batch = 2;
  std::int64_t queries = 3;
  std::int64_t past = -1;                   // rows of past_key; -1: it is absent
  std::int64_t total = 3;                   // total_sequence_length
  std::vector<std::int32_t> last = {2, 2};  // seqlens_k
  bool is_packed = false;
  Names more = {};  // inputs behind total_sequence_length, which the caller adds
  Names outputs = {"y"};
};

constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kGroups = 2;
constexpr std::int64_t kWidth = 4;

AttentionSizes GetGroupSizes(const GroupCase& group) {
  return {group.batch, kHeads, kGroups, group.queries, group.total, kWidth};
}

/// Rows of a batch of a case.
Reals MakeRows(const GroupCase& group, std::int64_t heads, std::int64_t rows, int seed) {
  return MakeReals(group.batch * rows * heads * kWidth, seed);
}

class GroupModel {
 public:
  explicit GroupModel(const GroupCase& group) : group_(group), model_(MakeMicrosoftModel()) {
    const Dims dims = {group.batch, group.queries, (kHeads + 2 * kGroups) * kWidth};
    Names inputs = {"query", group.is_packed ? "" : "key", group.is_packed ? "" : "value"};
    if (group.is_packed) {
      model_.Input("query", dims);
    } else {
      model_.Input("query", {group.batch, group.queries, kHeads * kWidth});
      model_.Input("key", {group.batch, group.queries, kGroups * kWidth});
      model_.Input("value", {group.batch, group.queries, kGroups * kWidth});
    }
    for (const std::string name : {"past_key", "past_value"}) {
      inputs.push_back(group.past < 0 ? "" : name);
      if (group.past >= 0) model_.Input(name, {group.batch, kGroups, group.past, kWidth});
    }
    inputs.insert(inputs.end(), {"last", "total"});
    inputs.insert(inputs.end(), group.more.begin(), group.more.end());
    AddInt32s(model_, "last", {static_cast<std::int64_t>(group.last.size())}, group.last);
    AddInt32s(model_, "total", {}, {static_cast<std::int32_t>(group.total)});
    model_.Node("GroupQueryAttention", inputs, group.outputs).Domain("com.microsoft");
    Edit().Int("num_heads", kHeads).Int("kv_num_heads", kGroups);
    for (const std::string& output : group.outputs) {
      if (!output.empty()) model_.Output(output, {-1, -1, -1});
    }
  }

  ModelBuilder& Get() { return model_; }
  ::onnx::NodeProto& GetNode() { return *model_.GetProto().mutable_graph()->mutable_node(0); }
  NodeBuilder Edit() { return NodeBuilder(GetNode()); }

  Reals GetQueries() const { return MakeRows(group_, kHeads, group_.queries, 1); }
  Reals GetKeys() const { return MakeRows(group_, kGroups, group_.queries, 2); }
  Reals GetValues() const { return MakeRows(group_, kGroups, group_.queries, 3); }
  Reals GetPast(int which) const { return MakeRows(group_, kGroups, group_.past, 4 + which); }

  Reals Run() {
    std::vector<Reals> inputs = {GetQueries(), GetKeys(), GetValues()};
    if (group_.is_packed) inputs = {Pack()};
    for (const int which : {0, 1}) {
      if (group_.past >= 0) {
        inputs.push_back(ToHeads(GetPast(which), group_.batch, kGroups, kWidth));
      }
    }
    return model_.Run(inputs);
  }

  std::string GetReason(DiagnosticCode code) {
    const Diagnostic diagnostic = model_.ImportError();
    EXPECT_EQ(diagnostic.code, code) << ToText(diagnostic);
    return ToText(diagnostic);
  }

 private:
  Reals Pack() const {
    Reals packed;
    const std::vector<Reals> parts = {GetQueries(), GetKeys(), GetValues()};
    const std::int64_t rows = group_.batch * group_.queries;
    for (std::int64_t row = 0; row < rows; ++row) {
      for (const Reals& part : parts) {
        const auto width = static_cast<std::int64_t>(part.size()) / rows;
        packed.insert(packed.end(), part.begin() + row * width, part.begin() + (row + 1) * width);
      }
    }
    return packed;
  }

  GroupCase group_;
  ModelBuilder model_;
};

ChangeScore LookBackFrom(std::int64_t past) {
  return [past](const ScorePlace& at, double score) {
    return at.key <= at.query + past ? score : -1.0e30;
  };
}

Reals AttendTo(const GroupModel& model, const GroupCase& group, const ChangeScore& change) {
  return Attend(GetGroupSizes(group), model.GetQueries(), model.GetKeys(), model.GetValues(),
                change);
}

TEST(GroupQueryAttention, SharesKeysAndValuesInGroups) {
  GroupCase group;
  for (const bool is_packed : {false, true}) {
    group.is_packed = is_packed;
    GroupModel model(group);
    ExpectNearReals(model.Run(), AttendTo(model, group, LookBackFrom(0)));
  }
}

TEST(GroupQueryAttention, SeesOnlyWhatIsInItsWindow) {
  GroupModel model({});
  model.Edit().Int("local_window_size", 2);
  ExpectNearReals(model.Run(), AttendTo(model, {}, [](const ScorePlace& at, double score) {
                    return at.key <= at.query && at.key > at.query - 2 ? score : -1.0e30;
                  }));
}

TEST(GroupQueryAttention, BoundsScoresBeforeTheirBias) {
  GroupCase group;
  group.more = {"", "", "", "bias"};
  GroupModel model(group);
  const Reals bias = MakeReals(9, 8);
  model.Get().Floats("bias", {1, 1, 3, 3}, bias);
  model.Edit().Float("softcap", 0.5F);
  ExpectNearReals(model.Run(), AttendTo(model, group, [&](const ScorePlace& at, double score) {
                    const double added =
                        static_cast<double>(bias[static_cast<std::size_t>(at.query * 3 + at.key)]);
                    return at.key <= at.query ? 0.5 * std::tanh(score / 0.5) + added : -1.0e30;
                  }));
}

TEST(GroupQueryAttention, HasOneMoreScoreWhereItIsSmooth) {
  GroupModel smooth({});
  smooth.Edit().Int("smooth_softmax", 1);
  const Reals expected = Attend(GetGroupSizes({}), smooth.GetQueries(), smooth.GetKeys(),
                                smooth.GetValues(), LookBackFrom(0), 0.0, true);
  ExpectNearReals(smooth.Run(), expected);
  GroupCase group;
  group.more = {"", "", "", "", "sink"};
  GroupModel stated(group);
  stated.Get().Floats("sink", {kHeads}, {0, 0, 0, 0});
  ExpectNearReals(stated.Run(), expected);
}

/// The first 2 * `pairs` elements of each head are rotated, those of row i as row `first` + i of
/// the tables says.
Reals Rotate(Reals rows, std::int64_t heads, std::int64_t num_rows, std::int64_t first,
             const Reals& cosines, const Reals& sines, bool are_neighbours) {
  const auto pairs = static_cast<std::int64_t>(cosines.size()) / 8;
  for (std::int64_t head = 0; head < static_cast<std::int64_t>(rows.size()) / kWidth; ++head) {
    const std::int64_t row = head / heads % num_rows + first;
    for (std::int64_t pair = 0; pair < pairs; ++pair) {
      const std::int64_t begin = head * kWidth;
      float& a = rows[static_cast<std::size_t>(begin + (are_neighbours ? 2 * pair : pair))];
      float& b =
          rows[static_cast<std::size_t>(begin + (are_neighbours ? 2 * pair + 1 : pairs + pair))];
      const float cosine = cosines[static_cast<std::size_t>(row * pairs + pair)];
      const float sine = sines[static_cast<std::size_t>(row * pairs + pair)];
      const float turned = a * cosine - b * sine;
      b = a * sine + b * cosine;
      a = turned;
    }
  }
  return rows;
}

TEST(GroupQueryAttention, RotatesQueriesAndKeys) {
  for (const std::int64_t pairs : {1, 2}) {
    for (const bool are_neighbours : {false, true}) {
      GroupCase group;
      group.more = {"cosines", "sines"};
      GroupModel model(group);
      const Reals cosines = MakeReals(8 * pairs, 5);
      const Reals sines = MakeReals(8 * pairs, 6);
      model.Get().Floats("cosines", {8, pairs}, cosines).Floats("sines", {8, pairs}, sines);
      model.Edit().Int("do_rotary", 1).Int("rotary_interleaved", are_neighbours ? 1 : 0);
      const Reals queries =
          Rotate(model.GetQueries(), kHeads, 3, 0, cosines, sines, are_neighbours);
      const Reals keys = Rotate(model.GetKeys(), kGroups, 3, 0, cosines, sines, are_neighbours);
      ExpectNearReals(model.Run(), Attend(GetGroupSizes(group), queries, keys, model.GetValues(),
                                          LookBackFrom(0)));
    }
  }
}

/// For each batch entry so many rows of the first, then those of the second, then zeros.
Reals JoinGroups(const Reals& past, std::int64_t num_past, const Reals& added,
                 std::int64_t num_added, const std::vector<std::int64_t>& taken,
                 std::int64_t total) {
  constexpr std::int64_t kRow = kGroups * kWidth;
  Reals all;
  for (std::size_t batch = 0; batch < taken.size(); ++batch) {
    const auto index = static_cast<std::int64_t>(batch);
    const float* before = past.data() + index * num_past * kRow;
    const float* behind = added.data() + index * num_added * kRow;
    all.insert(all.end(), before, before + taken[batch] * kRow);
    all.insert(all.end(), behind, behind + num_added * kRow);
    all.resize(static_cast<std::size_t>((index + 1) * total * kRow), 0.0F);
  }
  return all;
}

TEST(GroupQueryAttention, FollowsEarlierRowsWhoseTensorMayBeLonger) {
  for (const std::int64_t past : {2, 6}) {
    GroupCase group;
    group.batch = 1;
    group.past = past;
    group.total = 5;
    group.last = {4};
    GroupModel model(group);
    const Reals keys = JoinGroups(model.GetPast(0), past, model.GetKeys(), 3, {2}, 5);
    const Reals values = JoinGroups(model.GetPast(1), past, model.GetValues(), 3, {2}, 5);
    ExpectNearReals(model.Run(), Attend(GetGroupSizes(group), model.GetQueries(), keys, values,
                                        LookBackFrom(2)));
    group.outputs = {"", "present"};
    const std::int64_t rows = past == 2 ? 5 : 6;
    Reals present =
        ToHeads(JoinGroups(model.GetPast(0), past, model.GetKeys(), 3, {2}, rows), 1, 2, kWidth);
    // Rows behind the new ones stay: past and present may be one buffer.
    const Reals before = ToHeads(model.GetPast(0), 1, 2, kWidth);
    for (std::ptrdiff_t begin = 5 * kWidth; past == rows && begin < 12 * kWidth;
         begin += rows * kWidth) {
      std::copy_n(before.begin() + begin, kWidth, present.begin() + begin);
    }
    ExpectNearReals(GroupModel(group).Run(), present);
  }
}

TEST(GroupQueryAttention, PutsOneRowWhereEachLengthSays) {
  GroupCase group;
  group.queries = 1;
  group.past = 4;
  group.total = 4;
  group.last = {1, 3};
  group.more = {"cosines", "sines"};
  GroupModel model(group);
  const Reals cosines = MakeReals(16, 5);
  const Reals sines = MakeReals(16, 6);
  model.Get().Floats("cosines", {8, 2}, cosines).Floats("sines", {8, 2}, sines);
  model.Edit().Int("do_rotary", 1).Int("local_window_size", 3);
  Reals queries;
  Reals keys;
  for (const std::int64_t batch : {0, 1}) {
    const std::int64_t position = group.last[static_cast<std::size_t>(batch)];
    const auto add = [&](Reals& all, const Reals& rows, std::int64_t heads) {
      const auto row = rows.begin() + batch * heads * kWidth;
      const Reals turned =
          Rotate(Reals(row, row + heads * kWidth), heads, 1, position, cosines, sines, false);
      all.insert(all.end(), turned.begin(), turned.end());
    };
    add(queries, model.GetQueries(), kHeads);
    add(keys, model.GetKeys(), kGroups);
  }
  const Reals all_keys = JoinGroups(model.GetPast(0), 4, keys, 1, {1, 3}, 4);
  const Reals all_values = JoinGroups(model.GetPast(1), 4, model.GetValues(), 1, {1, 3}, 4);
  const auto change = [&](const ScorePlace& at, double score) {
    const std::int64_t last = group.last[static_cast<std::size_t>(at.batch)];
    return at.key <= last && at.key > last - 3 ? score : -1.0e30;
  };
  ExpectNearReals(model.Run(), Attend(GetGroupSizes(group), queries, all_keys, all_values, change));
}

TEST(GroupQueryAttention, RefusesWhatDoesNotFit) {
  using Code = DiagnosticCode;
  GroupModel heads({});
  heads.GetNode().mutable_attribute(1)->set_i(3);
  EXPECT_TRUE(Contains(heads.GetReason(Code::kInvalidModel), "kv_num_heads 3"));
  GroupCase shorter;
  shorter.total = 2;
  EXPECT_TRUE(Contains(GroupModel(shorter).GetReason(Code::kInvalidModel),
                       "total_sequence_length is 2; at least 3"));
  GroupCase past;
  past.total = 5;
  past.past = 1;
  EXPECT_TRUE(Contains(GroupModel(past).GetReason(Code::kInvalidModel), "past_key has 1 rows"));
  GroupCase lengths;
  lengths.last = {2, 2, 2};
  EXPECT_TRUE(Contains(GroupModel(lengths).GetReason(Code::kInvalidModel), "seqlens_k is 3"));
  GroupCase rotary;
  rotary.more = {"cosines", "sines"};
  GroupModel table(rotary);
  table.Get().Floats("cosines", {2, 2}, {1, 1, 1, 1}).Floats("sines", {2, 2}, {1, 1, 1, 1});
  table.Edit().Int("do_rotary", 1);
  EXPECT_TRUE(Contains(table.GetReason(Code::kInvalidModel), "sines or cosines is 2x2"));
}

TEST(GroupQueryAttention, RefusesWhatIsNotSupported) {
  GroupCase uneven;
  uneven.total = 5;
  uneven.past = 2;
  uneven.last = {3, 4};
  EXPECT_TRUE(Contains(GroupModel(uneven).GetReason(DiagnosticCode::kUnsupportedAttribute),
                       "seqlens_k may differ between 2 batch entries"));
  GroupCase scales;
  scales.more = {"", "", "", "", "", "scale"};
  GroupModel quantised(scales);
  quantised.Get().Floats("scale", {1}, {1});
  EXPECT_TRUE(
      Contains(quantised.GetReason(DiagnosticCode::kUnsupportedAttribute), "it has input 12"));
}

}  // namespace
}  // namespace backplane::onnx::test
