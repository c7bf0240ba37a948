#include "probing/process_limits.hpp"

#include "inspection/file_words.hpp"
#include "spawn/ends.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace backplane::probing {
namespace {

constexpr std::uint32_t kMostProcessors = 65'536;

Diagnostic DescribeFailure(const std::string& path, std::string why, std::string fix) {
  return inspection::DescribeFile(DiagnosticCode::kLimitUnavailable, path,
                                  "was not opened, as a limit for its process cannot be set",
                                  std::move(why), std::move(fix));
}

std::string JoinNumbers(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers) {
    text += (text.empty() ? "" : ",") + std::to_string(number);
  }
  return text;
}

/// A set of processors of any size.
class ProcessorSet {
 public:
  explicit ProcessorSet(std::uint32_t most)
      : size_bytes_(CPU_ALLOC_SIZE(most + 1)), words_(size_bytes_ / sizeof(unsigned long)) {}
  void Add(std::uint32_t processor) { CPU_SET_S(processor, size_bytes_, Get()); }
  std::size_t GetSizeBytes() const { return size_bytes_; }
  cpu_set_t* Get() { return reinterpret_cast<cpu_set_t*>(words_.data()); }

 private:
  std::size_t size_bytes_;
  std::vector<unsigned long> words_;
};

int BindTo(const std::vector<std::uint32_t>& processors) {
  const std::uint32_t most = *std::max_element(processors.begin(), processors.end());
  if (most > kMostProcessors) return EINVAL;
  ProcessorSet set(most);
  for (const std::uint32_t processor : processors) set.Add(processor);
  return sched_setaffinity(0, set.GetSizeBytes(), set.Get()) == 0 ? 0 : errno;
}

}  // namespace

std::optional<Diagnostic> SetProcessLimits(const SandboxPlan& plan, const std::string& path) {
  if (!plan.processors.empty()) {
    const int error = BindTo(plan.processors);
    if (error != 0) {
      return DescribeFailure(path,
                             "found IsolationSettings::processors = {" +
                                 JoinNumbers(plan.processors) + "}: " + std::strerror(error) +
                                 "; expected at least one processor that this machine has",
                             "name processors as in /proc/cpuinfo");
    }
  }
  if (plan.max_open_files == 0) return std::nullopt;
  const int error = spawn::BoundResource(RLIMIT_NOFILE, plan.max_open_files);
  if (error == 0) return std::nullopt;
  return DescribeFailure(path,
                         "found IsolationSettings::max_open_files = " +
                             std::to_string(plan.max_open_files) + ": " + std::strerror(error),
                         "correct the number");
}

}  // namespace backplane::probing
