/// Plans of stages that the source was not asked for.

#include "loading/staged_fixture.hpp"

#include <backplane/api/descriptors/slice.hpp>

namespace backplane {
namespace {

using Numbers = std::vector<std::int64_t>;

StageValue MakeNumbers(const std::vector<float>& numbers) {
  const TensorInfo info = Float({static_cast<std::int64_t>(numbers.size())});
  return MakeStageTensor(info, CopyConstantData(numbers.data(), info.GetSizeBytes()));
}

/// 0, and 1 at the end.
std::vector<float> EndWithOne(std::int64_t count) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  numbers.back() = 1.0F;
  return numbers;
}

/// Makes constants by a function of the only number that follows.
class Recalculation final : public IStageRecalculation {
 public:
  using Make = std::function<Values(std::int64_t number)>;
  explicit Recalculation(Make make) : make_(std::move(make)) {}
  Values Recalculate(const Numbers& followed) const override { return make_(followed.at(0)); }

 private:
  const Make make_;
};

/// Gives the first numbers of its input: how many, and what is said of that, depends on how many
/// there are.
class FirstNumbersSource final : public INetworkSource {
 public:
  using Count = std::function<std::int64_t(std::int64_t length)>;
  using List = std::function<Numbers(std::int64_t length)>;

  explicit FirstNumbersSource(Count count) : count_(std::move(count)) {}

  const std::string& GetName() const override { return name_; }
  std::vector<OpenBinding> GetInputs() const override { return {MakeBinding(0, "x")}; }
  std::vector<OpenBinding> GetOutputs() const override {
    OpenBinding output = MakeBinding(0, "y");
    output.dim_names = {""};
    return {output};
  }
  NetworkStage MakeFirstStage(const Values& inputs) const override {
    ++num_stages;
    const std::int64_t length = inputs[0].info.shape[0];
    NetworkStage stage;
    stage.network = INetwork::Create("stage");
    const OutputSlot x = stage.network->AddInputLayer(inputs[0].info, "x");
    SliceDescriptor first;
    first.extents[0] = count_(length);
    OutputSlot y{AddLayer<LayerType::kSlice>(*stage.network, first, {x}, "first"), 0};
    if (added) {
      const StageValue numbers = MakeNumbers(added(first.extents[0]));
      AddRelu(*stage.network, x, "unread");
      const OutputSlot constant =
          stage.network->AddConstantLayer(numbers.info, numbers.data, "added");
      if (recalculation) stage.recalculated = {constant.layer};
      stage.followed = followed ? followed(length) : Numbers{first.extents[0]};
      y = {AddLayer<LayerType::kElementwiseBinary>(*stage.network, {}, {y, constant}, "sum"), 0};
    }
    stage.network->AddOutputLayer(y, "y");
    stage.network_inputs = {0};
    stage.network_outputs = {1};
    stage.results = {1};
    stage.follows_extents = follows;
    stage.recalculation = recalculation;
    if (decisions) stage.decisions = decisions(length);
    if (pinned) stage.pinned = pinned(length);
    return stage;
  }

  mutable std::atomic<int> num_stages{0};
  bool follows = true;
  std::function<std::vector<float>(std::int64_t count)> added;
  std::shared_ptr<const IStageRecalculation> recalculation;  // of what is added
  List followed;                                             // null: how many numbers are given
  List decisions;
  List pinned;

 private:
  const std::string name_ = "first numbers";
  const Count count_;
};

std::shared_ptr<FirstNumbersSource> MakeSource(FirstNumbersSource::Count count) {
  return std::make_shared<FirstNumbersSource>(std::move(count));
}

class ForeseenPlans : public StagedRunsTest {
 protected:
  /// How many numbers a run gives.
  std::size_t CountGiven(NetworkId id, std::int64_t length) {
    const std::size_t count =
        RunWith(id, std::vector<float>(static_cast<std::size_t>(length), 1.0F)).size();
    EXPECT_EQ(status_, Status::kSuccess);
    return count;
  }

  void RunAll(NetworkId id, const Numbers& lengths) {
    for (const std::int64_t length : lengths) CountGiven(id, length);
  }

  int CountForeseen(NetworkId id) const {
    const std::vector<PlanReport> plans = runtime_->GetPlanReports(id);
    return static_cast<int>(std::count_if(plans.begin(), plans.end(), [](const PlanReport& plan) {
      return plan.stages.at(0).is_foreseen;
    }));
  }
};

TEST_F(ForeseenPlans, AreThoseBehindTheFourth) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 14});
  EXPECT_EQ(source->num_stages, 4);
  EXPECT_EQ(CountGiven(id, 20), 17U);
  EXPECT_EQ(CountGiven(id, 7), 4U);
  EXPECT_EQ(CountGiven(id, 13), 10U);
  EXPECT_EQ(source->num_stages, 4);
  EXPECT_EQ(CountForeseen(id), 3);
}

TEST_F(ForeseenPlans, MayFollowBySecondDegree) {
  const auto source =
      MakeSource([](std::int64_t length) { return (length - 20) * (length - 19) / 2 + 10; });
  const NetworkId id = LoadSource(source);
  RunAll(id, {20, 21, 22, 23});
  EXPECT_EQ(CountGiven(id, 24), 20U);
  EXPECT_EQ(source->num_stages, 4);
}

TEST_F(ForeseenPlans, AreNoneOfASourceThatSaysNothing) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  source->follows = false;
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13, 14, 15});
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, EndWhereADecisionIsAnother) {
  const auto source =
      MakeSource([](std::int64_t length) { return std::min<std::int64_t>(length - 3, 20); });
  source->decisions = [](std::int64_t length) { return Numbers{length - 3 - 20}; };
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13});
  EXPECT_EQ(CountGiven(id, 22), 19U);
  EXPECT_EQ(source->num_stages, 4);
  EXPECT_EQ(CountGiven(id, 30), 20U);
  EXPECT_EQ(CountGiven(id, 23), 20U) << "here it is 0";
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, AreNoneWhereNumbersLieOnNoPolynomial) {
  const auto source = MakeSource([](std::int64_t length) { return length / 2; });
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13, 14});
  EXPECT_EQ(CountGiven(id, 21), 10U);
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, AreNoneWhereANumberIsNotWhole) {
  const auto source = MakeSource([](std::int64_t length) { return length / 2; });
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 12, 14, 18});
  EXPECT_EQ(CountGiven(id, 20), 10U);
  EXPECT_EQ(source->num_stages, 4);
  EXPECT_EQ(CountGiven(id, 21), 10U);
  EXPECT_EQ(source->num_stages, 5);
}

TEST_F(ForeseenPlans, AreNoneOfStagesWithOtherPinnedNumbers) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  source->pinned = [](std::int64_t length) { return Numbers{length}; };
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13, 14, 15});
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, MayHaveConstantsThatAreAllAlike) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  source->added = [](std::int64_t count) {
    return std::vector<float>(static_cast<std::size_t>(count), 0.5F);
  };
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13});
  EXPECT_EQ(RunWith(id, std::vector<float>(20, 1.0F)), std::vector<float>(17, 1.0F + 1.0F + 0.5F));
  EXPECT_EQ(source->num_stages, 4);
}

TEST_F(ForeseenPlans, AreNoneOfStagesWithConstantsOfWhichNothingIsKnown) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  source->added = &EndWithOne;
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13, 14, 15});
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, MayHaveConstantsThatAreRecalculated) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  source->added = &EndWithOne;
  source->recalculation = std::make_shared<const Recalculation>(
      [](std::int64_t count) { return Values{MakeNumbers(EndWithOne(count))}; });
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13});
  for (const std::int64_t length : {14, 20, 7, 10}) {
    std::vector<float> expected(static_cast<std::size_t>(length - 3), 1.0F + 1.0F);
    expected.back() += 1.0F;
    EXPECT_EQ(RunWith(id, std::vector<float>(static_cast<std::size_t>(length), 1.0F)), expected);
  }
  EXPECT_EQ(source->num_stages, 4);
}

TEST_F(ForeseenPlans, AreNoneWhereANumberThatFollowsLiesOnNoPolynomial) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  source->added = &EndWithOne;
  source->recalculation = std::make_shared<const Recalculation>(
      [](std::int64_t) { return Values{MakeNumbers(EndWithOne(1))}; });
  source->followed = [](std::int64_t length) { return Numbers{length % 3}; };
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13, 14, 15});
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, AreNoneWhereConstantsCannotBeRecalculated) {
  const Recalculation::Make makes[] = {
      [](std::int64_t) -> Values { throw 7; }, [](std::int64_t) { return Values(); },
      [](std::int64_t count) { return Values{MakeNumbers(EndWithOne(count + 3))}; },
      [](std::int64_t count) { return Values{MakeStageTensor(Float({count}), nullptr)}; }};
  for (const Recalculation::Make& make : makes) {
    const auto source = MakeSource([](std::int64_t length) { return length - 3; });
    source->added = &EndWithOne;
    source->recalculation = std::make_shared<const Recalculation>(make);
    const NetworkId id = LoadSource(source);
    RunAll(id, {10, 11, 12, 13, 14, 15});
    EXPECT_EQ(source->num_stages, 6);
  }
}

TEST_F(ForeseenPlans, AreHeldAgainstTheRulesOfOperators) {
  const auto source =
      MakeSource([](std::int64_t length) { return std::min(2 * length - 13, length); });
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13});
  EXPECT_EQ(CountGiven(id, 20), 20U) << "there are not 27";
  EXPECT_EQ(source->num_stages, 5);
}

TEST_F(ForeseenPlans, AreNoneOfOneOrNothing) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  const NetworkId id = LoadSource(source);
  RunAll(id, {10, 11, 12, 13});
  EXPECT_EQ(CountGiven(id, 4), 1U);
  EXPECT_EQ(CountGiven(id, 3), 0U);
  EXPECT_EQ(source->num_stages, 6);
}

TEST_F(ForeseenPlans, AreMadeAgainWhenTheyHadToGo) {
  const auto source = MakeSource([](std::int64_t length) { return length - 3; });
  const NetworkId id = LoadSource(source, KeepPlans(1, source));
  source->num_stages = 0;
  RunAll(id, {10, 11, 12, 13, 20, 10, 11});
  EXPECT_EQ(source->num_stages, 4);
}

}  // namespace
}  // namespace backplane
