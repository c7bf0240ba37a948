#include <backplane/runtime/network_source.hpp>

#include "loading/stage_values.hpp"
#include "tensors/copy_tensor.hpp"
#include "tensors/tensor_text.hpp"

#include <backplane/host/diagnostic.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace backplane {

INetworkSource::~INetworkSource() = default;
IStageMaker::~IStageMaker() = default;
IStageRecalculation::~IStageRecalculation() = default;
IStageOperation::~IStageOperation() = default;

namespace {

using loading::MakeOne;
using loading::MakeStageView;
using loading::ReadBool;
using loading::ReadInt;
using loading::RequireCount;
using loading::ThrowStageError;
using Values = std::vector<StageValue>;

/// What the rounds of a loop give, one behind the other.
class Collected {
 public:
  /// Errors: kStageFailed for one that is not like those before.
  void Add(const IStageOperation& operation, const StageValue& value, IStageRunner& runner);

  /// All of them, with a new axis. `stated` is what each is when there are none; open extents are
  /// 0.
  /// Errors: kStageFailed for an axis that the result has not, and where it would have too many.
  StageValue Finish(const IStageOperation& operation, const TensorInfo& stated, std::int64_t axis,
                    bool is_reversed, IStageRunner& runner) const;

 private:
  void Grow(IStageRunner& runner);

  TensorInfo info_;
  std::int64_t count_ = 0;
  std::int64_t room_ = 0;
  std::shared_ptr<void> data_;
};

void Collected::Add(const IStageOperation& operation, const StageValue& value,
                    IStageRunner& runner) {
  if (value.kind != StageValue::Kind::kTensor) {
    ThrowStageError(operation, "found no tensor to collect; expected one in each round");
  }
  if (count_ == 0) info_ = value.info;
  if (value.info != info_) {
    ThrowStageError(operation, "found " + DescribeTensor(value.info) + " to collect in round " +
                                   std::to_string(count_) + "; expected " + DescribeTensor(info_) +
                                   " as before");
  }
  if (count_ == room_) Grow(runner);
  const std::uint64_t size_bytes = info_.GetSizeBytes();
  if (size_bytes != 0) {
    std::memcpy(
        static_cast<unsigned char*>(data_.get()) + static_cast<std::uint64_t>(count_) * size_bytes,
        value.data.get(), size_bytes);
  }
  ++count_;
}

void Collected::Grow(IStageRunner& runner) {
  constexpr std::int64_t kFirstRoom = 4;
  room_ = std::max(kFirstRoom, 2 * room_);
  const std::uint64_t size_bytes = info_.GetSizeBytes();
  const std::shared_ptr<void> data =
      runner.Allocate(static_cast<std::uint64_t>(room_) * size_bytes);
  if (count_ != 0 && size_bytes != 0) {
    std::memcpy(data.get(), data_.get(), static_cast<std::uint64_t>(count_) * size_bytes);
  }
  data_ = data;
}

StageValue Collected::Finish(const IStageOperation& operation, const TensorInfo& stated,
                             std::int64_t axis, bool is_reversed, IStageRunner& runner) const {
  TensorInfo info = count_ != 0 ? info_ : stated;
  for (std::uint32_t i = 0; i < info.shape.rank; ++i) {
    info.shape[i] = std::max<std::int64_t>(info.shape[i], 0);  // an open one is 0
  }
  const std::uint32_t rank = info.shape.rank + 1;
  if (rank > kMaxRank) {
    ThrowStageError(operation, "found " + DescribeTensor(info) +
                                   " to collect, with one axis more; expected a rank of at most " +
                                   std::to_string(kMaxRank));
  }
  const std::int64_t place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank) {
    ThrowStageError(operation, "found axis " + std::to_string(axis) + " to collect " +
                                   DescribeTensor(info) + " along; expected -" +
                                   std::to_string(rank) + " to " + std::to_string(rank - 1));
  }
  const TensorShape each = info.shape;
  info.shape = {count_};
  for (std::uint32_t i = 0; i < each.rank; ++i) info.shape.Append(each[i]);
  const MemoryView from = MakeStageView(info, data_.get());
  std::rotate(info.shape.dims, info.shape.dims + 1, info.shape.dims + place + 1);
  if (place == 0 && !is_reversed) return MakeStageTensor(info, data_);
  const std::shared_ptr<void> data = runner.Allocate(info.GetSizeBytes());
  MemoryView to = MakeStageView(info, data.get());
  std::rotate(to.dims, to.dims + place, to.dims + place + 1);
  std::rotate(to.strides_bytes, to.strides_bytes + place, to.strides_bytes + place + 1);
  if (is_reversed && count_ != 0) {
    to.data = static_cast<unsigned char*>(to.data) + (count_ - 1) * to.strides_bytes[0];
    to.strides_bytes[0] = -to.strides_bytes[0];
  }
  CopyTensor(from, to);
  return MakeStageTensor(info, data);
}

class If final : public IStageOperation {
 public:
  If(std::string description, std::shared_ptr<const INetworkSource> then_network,
     std::shared_ptr<const INetworkSource> else_network)
      : description_(std::move(description)),
        then_(std::move(then_network)),
        else_(std::move(else_network)) {}

  const std::string& GetDescription() const override { return description_; }

  Values Run(const Values& inputs, IStageRunner& runner) const override {
    RequireCount(*this, "inputs", inputs.size(), 1);
    const bool is_true = ReadBool(*this, "its condition", inputs[0]);
    return runner.RunNetwork(is_true ? then_ : else_, {inputs.begin() + 1, inputs.end()});
  }

 private:
  const std::string description_;
  const std::shared_ptr<const INetworkSource> then_;
  const std::shared_ptr<const INetworkSource> else_;
};

class Loop final : public IStageOperation {
 public:
  Loop(std::string description, std::shared_ptr<const INetworkSource> body,
       const LoopOptions& options)
      : description_(std::move(description)), body_(std::move(body)), options_(options) {
    const std::vector<OpenBinding> stated = body_->GetInputs();
    if (stated.size() >= 2) {
      round_shape_ = MakeOnes(stated[0].info.shape.rank);
      condition_shape_ = MakeOnes(stated[1].info.shape.rank);
    }
  }

  const std::string& GetDescription() const override { return description_; }

  Values Run(const Values& inputs, IStageRunner& runner) const override {
    const std::size_t num_carried = options_.num_carried;
    RequireCount(*this, "inputs", inputs.size(), 2 + num_carried);
    const bool is_counted = inputs[0].kind != StageValue::Kind::kNone;
    const std::int64_t most = is_counted ? ReadInt(*this, "its number of rounds", inputs[0]) : 0;
    bool goes_on =
        inputs[1].kind == StageValue::Kind::kNone || ReadBool(*this, "its condition", inputs[1]);
    Values carried(inputs.begin() + 2, inputs.begin() + 2 + options_.num_carried);
    const StageValue going_on = MakeOne(true, condition_shape_, runner);
    std::optional<std::vector<Collected>> collected;
    for (std::int64_t round = 0; goes_on && (!is_counted || round < most); ++round) {
      if (round >= options_.max_rounds) ThrowTooLong();
      runner.RequireGoingOn();
      Values given;
      given.reserve(inputs.size());
      given.push_back(MakeOne(round, round_shape_, runner));
      given.push_back(going_on);
      std::move(carried.begin(), carried.end(), std::back_inserter(given));
      given.insert(given.end(), inputs.begin() + 2 + options_.num_carried, inputs.end());
      Values results = runner.RunNetwork(body_, std::move(given));
      RequireCount(*this, "results of its body", results.size(), 1 + num_carried);
      goes_on = ReadBool(*this, "the condition that its body gives", results[0]);
      const auto first = results.begin() + 1 + options_.num_carried;
      std::move(results.begin() + 1, first, carried.begin());
      if (!collected) collected.emplace(static_cast<std::size_t>(results.end() - first));
      for (std::size_t i = 0; i < collected->size(); ++i) {
        (*collected)[i].Add(*this, first[static_cast<std::ptrdiff_t>(i)], runner);
      }
    }
    return Finish(std::move(carried), collected, runner);
  }

 private:
  static TensorShape MakeOnes(std::uint32_t rank) {
    TensorShape shape;
    while (shape.rank < rank) shape.Append(1);
    return shape;
  }

  // Without a round, what would have been collected has the shapes that the body states.
  Values Finish(Values carried, std::optional<std::vector<Collected>>& collected,
                IStageRunner& runner) const {
    const std::vector<OpenBinding> stated = body_->GetOutputs();
    const std::size_t first = 1 + options_.num_carried;
    if (!collected) collected.emplace(stated.size() - std::min(first, stated.size()));
    for (std::size_t i = 0; i < collected->size(); ++i) {
      carried.push_back((*collected)[i].Finish(*this, stated[first + i].info, 0, false, runner));
    }
    return carried;
  }

  [[noreturn]] void ThrowTooLong() const {
    Diagnostic diagnostic{DiagnosticCode::kLoopTooLong};
    diagnostic.subject = {SubjectKind::kLayer, description_};
    diagnostic.what = description_ + " does not end";
    diagnostic.why = "found " + std::to_string(options_.max_rounds) +
                     " rounds and a condition to go on; expected fewer";
    diagnostic.fix = "correct the model, or allow more rounds when it is imported";
    throw DiagnosticException(std::move(diagnostic));
  }

  const std::string description_;
  const std::shared_ptr<const INetworkSource> body_;
  const LoopOptions options_;
  TensorShape round_shape_;  // of what each round is told
  TensorShape condition_shape_;
};

class ScanLoop final : public IStageOperation {
 public:
  ScanLoop(std::string description, std::shared_ptr<const INetworkSource> body,
           ScanLoopOptions options)
      : description_(std::move(description)),
        body_(std::move(body)),
        options_(std::move(options)) {}

  const std::string& GetDescription() const override { return description_; }

  Values Run(const Values& inputs, IStageRunner& runner) const override {
    const std::size_t num_carried = options_.num_carried;
    const std::size_t num_scanned = options_.input_axes.size();
    const std::size_t num_collected = options_.output_axes.size();
    RequireCount(*this, "inputs", inputs.size(), num_carried + num_scanned);
    Values carried(inputs.begin(), inputs.begin() + options_.num_carried);
    const std::int64_t num_rounds = CountRounds(inputs);
    std::vector<Collected> collected(num_collected);
    for (std::int64_t round = 0; round < num_rounds; ++round) {
      runner.RequireGoingOn();
      Values given;
      given.reserve(inputs.size());
      std::move(carried.begin(), carried.end(), std::back_inserter(given));
      for (std::size_t i = 0; i < num_scanned; ++i) {
        const std::int64_t index = options_.are_inputs_reversed[i] ? num_rounds - 1 - round : round;
        given.push_back(
            loading::TakeIndex(inputs[num_carried + i], GetAxis(inputs, i), index, runner));
      }
      given.insert(given.end(),
                   inputs.begin() + static_cast<std::ptrdiff_t>(num_carried + num_scanned),
                   inputs.end());
      Values results = runner.RunNetwork(body_, std::move(given));
      RequireCount(*this, "results of its body", results.size(), num_carried + num_collected);
      for (std::size_t i = 0; i < num_collected; ++i) {
        collected[i].Add(*this, results[num_carried + i], runner);
      }
      std::move(results.begin(), results.begin() + options_.num_carried, carried.begin());
    }
    const std::vector<OpenBinding> stated = body_->GetOutputs();
    for (std::size_t i = 0; i < num_collected; ++i) {
      carried.push_back(collected[i].Finish(*this, stated[num_carried + i].info,
                                            options_.output_axes[i],
                                            options_.are_outputs_reversed[i], runner));
    }
    return carried;
  }

 private:
  std::uint32_t GetAxis(const Values& inputs, std::size_t scanned) const {
    const std::uint32_t rank = inputs[options_.num_carried + scanned].info.shape.rank;
    const std::int64_t axis = options_.input_axes[scanned];
    const std::int64_t from_start = axis < 0 ? axis + rank : axis;
    if (from_start < 0 || from_start >= rank) {
      ThrowStageError(*this, "found axis " + std::to_string(axis) + " of a tensor of rank " +
                                 std::to_string(rank) + "; expected one of its axes");
    }
    return static_cast<std::uint32_t>(from_start);
  }

  std::int64_t CountRounds(const Values& inputs) const {
    std::optional<std::int64_t> count;
    for (std::size_t i = 0; i < options_.input_axes.size(); ++i) {
      const StageValue& scanned = inputs[options_.num_carried + i];
      if (scanned.kind != StageValue::Kind::kTensor) {
        ThrowStageError(*this, "found no tensor as input that it scans; expected one");
      }
      const std::int64_t extent = scanned.info.shape[GetAxis(inputs, i)];
      if (count && *count != extent) {
        ThrowStageError(*this, "found inputs with " + std::to_string(*count) + " and " +
                                   std::to_string(extent) +
                                   " indices to scan; expected as many in each");
      }
      count = extent;
    }
    return count.value_or(0);
  }

  const std::string description_;
  const std::shared_ptr<const INetworkSource> body_;
  const ScanLoopOptions options_;
};

}  // namespace

std::shared_ptr<const IStageOperation> MakeIf(std::string description,
                                              std::shared_ptr<const INetworkSource> then_network,
                                              std::shared_ptr<const INetworkSource> else_network) {
  return std::make_shared<If>(std::move(description), std::move(then_network),
                              std::move(else_network));
}

std::shared_ptr<const IStageOperation> MakeLoop(std::string description,
                                                std::shared_ptr<const INetworkSource> body,
                                                const LoopOptions& options) {
  return std::make_shared<Loop>(std::move(description), std::move(body), options);
}

std::shared_ptr<const IStageOperation> MakeScan(std::string description,
                                                std::shared_ptr<const INetworkSource> body,
                                                ScanLoopOptions options) {
  return std::make_shared<ScanLoop>(std::move(description), std::move(body), std::move(options));
}

}  // namespace backplane
