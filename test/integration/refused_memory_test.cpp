/// Memory that is refused while one candidate is examined, in whichever thread, costs that
/// candidate and no other. In a program of its own, which refuses allocations.

#include "mock_rows.hpp"
#include "probe_watch.hpp"

#include <backplane/host/plugin_object.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace {

std::atomic<long> num_allocations_left{0};  // 0: none is refused

}  // namespace

void* operator new(std::size_t size_bytes) {
  const bool is_counted = num_allocations_left.load(std::memory_order_relaxed) > 0;
  if (is_counted && num_allocations_left.fetch_sub(1) == 1) throw std::bad_alloc();
  void* memory = std::malloc(size_bytes == 0 ? 1 : size_bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* operator new(std::size_t size_bytes, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return operator new(size_bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Where the compiler inlines one of the pair alone, it warns that they do not fit.
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size_bytes*/) noexcept {
  std::free(memory);
}

namespace backplane::test {
namespace {

/// What came of one scan in which one allocation was refused.
struct Outcome {
  bool was_refused = false;          // there were that many
  std::optional<LoadReport> report;  // nothing: the scan threw
};

Outcome ScanWithout(long allocation, const ScanOptions& options) {
  Outcome outcome;
  num_allocations_left = allocation;
  try {
    outcome.report = Scan(options);
  } catch (const std::bad_alloc&) {
    outcome.report.reset();
  }
  outcome.was_refused = num_allocations_left.exchange(0) <= 0;
  return outcome;
}

using Statuses = std::map<std::string, CandidateStatus>;

Statuses GetStatuses(const LoadReport& report) {
  Statuses statuses;
  for (const Candidate& candidate : report.candidates) statuses[candidate.path] = candidate.status;
  return statuses;
}

/// Returns whether one says that it could not be examined to the end.
bool ExpectOthersAreAsExpected(const LoadReport& report, const Statuses& expected) {
  // The listing was cut short, and says so.
  if (!report.search_paths.at(0).diagnostics.empty()) return false;
  EXPECT_EQ(GetStatuses(report).size(), expected.size());
  int num_others = 0;
  bool is_said = false;
  for (const Candidate& candidate : report.candidates) {
    const Diagnostic* failure = FindDiagnostic(candidate, DiagnosticCode::kExaminationFailed);
    if (failure != nullptr) {
      is_said = true;
      EXPECT_EQ(candidate.status, CandidateStatus::kRejected);
      EXPECT_EQ(failure->what, candidate.path + " could not be examined to the end");
      EXPECT_NE(failure->why.find("std::bad_alloc, memory was refused"), std::string::npos);
    }
    if (candidate.status != expected.at(candidate.path)) ++num_others;
  }
  EXPECT_LE(num_others, 1);
  return is_said;
}

class RefusedMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* row : {"ValidA", "ValidB", "WithManifest", "TextFile", "NoGetVersion"}) {
      directory_.Add(row);
    }
  }

  /// Refuses every `step`th allocation of a scan, in a scan of its own.
  void ScanAgainAndAgain(ProbeMode probe, long step) {
    ScanOptions options = MakeChildScan({directory_.GetPath()});
    options.probe = probe;
    const Statuses expected = GetStatuses(Scan(options));
    int num_said = 0;
    int num_thrown = 0;
    for (long allocation = 1;; allocation += step) {
      const Outcome outcome = ScanWithout(allocation, options);
      if (!outcome.was_refused) break;
      if (!outcome.report) {
        ++num_thrown;
      } else if (ExpectOthersAreAsExpected(*outcome.report, expected)) {
        ++num_said;
      }
    }
    EXPECT_GT(num_said, 0);
    EXPECT_LT(num_thrown, num_said) << "only what belongs to no candidate may end the scan";
    RecordProperty("said", num_said);
    RecordProperty("thrown", num_thrown);
  }

  MockDirectory directory_;
};

TEST_F(RefusedMemory, CostsTheOneCandidateThatIsRead) {
  ScanAgainAndAgain(ProbeMode::kInspect, 5);
}

TEST_F(RefusedMemory, CostsTheOneCandidateThatRunsInAProcessOfItsOwn) {
  ScanAgainAndAgain(ProbeMode::kChild, 29);
}

class CountsItsEnds final : public IBackendContext {
 public:
  explicit CountsItsEnds(int& num_ends) : num_ends_(num_ends) {}
  ~CountsItsEnds() override { ++num_ends_; }
  Status OnNetworkEvent(const NetworkEvent& /*event*/) override { return Status::kSuccess; }

 private:
  int& num_ends_;
};

TEST(RefusedMemoryOfAnObject, DestroysTheObjectOnce) {
  const auto origin = std::make_shared<PluginOrigin>();
  int num_ends = 0;
  std::unique_ptr<IBackendContext> context = std::make_unique<CountsItsEnds>(num_ends);
  bool has_thrown = false;
  num_allocations_left = 1;
  try {
    const PluginObject<IBackendContext> object(std::move(context), origin);
  } catch (const std::bad_alloc&) {
    has_thrown = true;
  }
  num_allocations_left = 0;
  EXPECT_TRUE(has_thrown);
  EXPECT_EQ(num_ends, 1);
}

}  // namespace
}  // namespace backplane::test
