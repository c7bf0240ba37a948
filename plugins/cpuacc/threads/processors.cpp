#include "threads/processors.hpp"

#include "files/read_file.hpp"
#include "threads/cpu_quota.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

namespace backplane {
namespace cpuacc {
namespace {

int CountVisibleProcessors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) return CPU_COUNT(&allowed);
  return static_cast<int>(std::thread::hardware_concurrency());
}

/// Errors: false when the system refuses.
bool MoveTo(const Processors& processors) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (const int processor : processors) CPU_SET(static_cast<std::size_t>(processor), &wanted);
  return sched_setaffinity(0, sizeof(wanted), &wanted) == 0;
}

/// The first on which no thread may run; where the caller may run tells nothing of that.
std::optional<int> FindForbidden(const Processors& processors) {
  std::optional<int> forbidden;
  std::thread([&] {
    const auto found = std::find_if(processors.begin(), processors.end(),
                                    [](int processor) { return !MoveTo({processor}); });
    if (found != processors.end()) forbidden = *found;
  }).join();
  return forbidden;
}

[[noreturn]] void Refuse(const std::string& text, const std::string& found) {
  throw std::invalid_argument("the option processors is \"" + text + "\": found " + found +
                              "; expected numbers of processors and ranges of them, as in 0,2-3, "
                              "that this process may use");
}

/// A number at the beginning of what is left, which it takes off.
int TakeNumber(const std::string& text, const char*& begin) {
  const char* const end = text.data() + text.size();
  int number = 0;
  const auto [rest, error] = std::from_chars(begin, end, number);
  if (error == std::errc::invalid_argument || (error == std::errc() && number < 0)) {
    Refuse(text, begin == end ? "its end where a number should be"
                              : "'" + std::string(begin, end) + "' where a number should be");
  }
  if (error != std::errc() || number >= CPU_SETSIZE) {
    Refuse(text, "processor " + std::string(begin, rest) + ", of which there are at most " +
                     std::to_string(CPU_SETSIZE));
  }
  begin = rest;
  return number;
}

}  // namespace

int CountProcessors() {
  const int visible = CountVisibleProcessors();
  // Asked for each layer, and many files.
  static const std::optional<double> quota = FindCpuQuota(ReadFile);
  if (!quota || *quota >= visible) return std::max(1, visible);
  return std::max(1, static_cast<int>(std::ceil(*quota)));
}

Processors ReadProcessors(const std::string& text) {
  std::set<int> processors;
  const char* begin = text.data();
  const char* const end = begin + text.size();
  while (begin != end) {
    const int first = TakeNumber(text, begin);
    int last = first;
    if (begin != end && *begin == '-') {
      ++begin;
      last = TakeNumber(text, begin);
    }
    if (last < first) Refuse(text, "a range that ends before it begins");
    for (int processor = first; processor <= last; ++processor) processors.insert(processor);
    if (begin == end) break;
    if (*begin != ',') Refuse(text, "'" + std::string(begin, end) + "' behind a number");
    if (++begin == end) Refuse(text, "nothing behind the last comma");
  }
  const Processors read(processors.begin(), processors.end());
  const std::optional<int> forbidden = read.empty() ? std::nullopt : FindForbidden(read);
  if (forbidden) Refuse(text, "processor " + std::to_string(*forbidden) + ", which it may not");
  return read;
}

void StayOn(const Processors& processors) {
  if (!processors.empty()) static_cast<void>(MoveTo(processors));
}

}  // namespace cpuacc
}  // namespace backplane
