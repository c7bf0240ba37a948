#include "loading/run_stage.hpp"

#include "loading/fallback_words.hpp"

#include <backplane/host/isolation.hpp>
#include <backplane/host/system_refusal.hpp>

#include <chrono>
#include <new>
#include <utility>

namespace backplane {

namespace {

/// A run of a stage that may be repeated on other backends.
class RepeatableRun {
 public:
  RepeatableRun(StagePlacements& placements, NetworkFallback& fallback, const RunArgs& args)
      : placements_(placements), fallback_(fallback), args_(args), placement_(placements.Get()) {}

  ~RepeatableRun() {
    placement_.reset();
    placements_.DropUnused();
  }
  RepeatableRun(const RepeatableRun&) = delete;
  RepeatableRun& operator=(const RepeatableRun&) = delete;

  Status Run(std::optional<Diagnostic>& told) {
    RunEnd end = (**placement_).HasLostProcess() ? PlaceAgain(told) : RunEnd();
    if (end.status == Status::kSuccess) {
      end = (**placement_).Run(args_.inputs, args_.outputs, args_.bounds, &told);
    }
    if (end.failed_backend == nullptr || !fallback_.MayPlaceElsewhere()) return end.status;
    return RetryOnOtherBackend(end, told);
  }

 private:
  /// The next process is given what the network had in the one before.
  RunEnd PlaceAgain(std::optional<Diagnostic>& told) {
    const RunLimit* const limit = args_.bounds != nullptr ? &args_.bounds->limit : nullptr;
    const RunWorkScope bounded(limit);
    try {
      const RunStop stop = fallback_.PlaceAgain(placements_, limit);
      if (stop != RunStop::kNone) return (**placement_).MakeStopped(*limit, nullptr, &told);
      placement_ = placements_.Get();
      return {};
    } catch (const DiagnosticException& exception) {
      return (**placement_).MakeNotBegun(exception.GetDiagnostic(), limit, &told);
    } catch (const std::bad_alloc&) {
      told = DescribeOutOfMemory("the network could not be placed again");
      return {Status::kOutOfMemory};
    }
  }

  Status RetryOnOtherBackend(const RunEnd& end, std::optional<Diagnostic>& told) {
    const RunLimit* const limit = args_.bounds != nullptr ? &args_.bounds->limit : nullptr;
    const RunWorkScope bounded(limit);
    FallbackAnswer answer =
        fallback_.PlaceElsewhere(placements_, *placement_, *end.failed_backend, *told, limit);
    if (answer.stop == RunStop::kNone && limit != nullptr) {
      answer.stop = limit->Check(std::chrono::steady_clock::now());
    }
    if (answer.why_not) {
      told->causes.push_back(std::move(*answer.why_not));
    } else if (answer.stop != RunStop::kNone) {
      told = DescribeNoTimeLeft(GetName(), answer.stop, *told);
      return GetStatus(answer.stop);
    } else if (!end.has_kept_inputs) {
      told->causes.push_back(DescribeLostInputs(GetName()));
    } else {
      return Repeat(told);
    }
    return end.status;
  }

  Status Repeat(std::optional<Diagnostic>& told) {
    fallback_.CountRepeatedRun();
    std::optional<Diagnostic> failure;
    const std::shared_ptr<LoadedPlacement> again = placements_.Get();
    const RunEnd repeated = (**again).Run(args_.inputs, args_.outputs, args_.bounds, &failure);
    if (repeated.status == Status::kSuccess) {
      told.reset();
      return Status::kSuccess;
    }
    if (repeated.failed_backend != nullptr) {
      failure->causes.push_back(DescribePlacedBefore(GetName(), *repeated.failed_backend,
                                                     fallback_.GetReport().failed_backend));
    }
    failure->causes.push_back(std::move(*told));
    told = std::move(failure);
    return repeated.status;
  }

  const std::string& GetName() const { return (**placement_).GetName(); }

  StagePlacements& placements_;
  NetworkFallback& fallback_;
  const RunArgs& args_;
  std::shared_ptr<LoadedPlacement> placement_;
};

}  // namespace

Status RunStage(StagePlacements& placements, NetworkFallback* fallback, const RunArgs& args,
                std::optional<Diagnostic>* failure) {
  const bool may_be_repeated = fallback != nullptr && fallback->MayPlaceElsewhere();
  if (!may_be_repeated && !placements.MayBeReplaced()) {
    return placements.GetOnly().Run(args.inputs, args.outputs, args.bounds, failure).status;
  }
  std::optional<Diagnostic> own;
  return RepeatableRun(placements, *fallback, args).Run(failure != nullptr ? *failure : own);
}

}  // namespace backplane
