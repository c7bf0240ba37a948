#include "execution/scan_view.hpp"

#include "execution/float_format.hpp"
#include "tensors/dense_layout.hpp"
#include "tensors/view_runs.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace backplane {

namespace execution {

namespace {

std::vector<std::int64_t> FindIndices(const MemoryView& view, std::uint64_t element) {
  std::vector<std::int64_t> indices(view.rank);
  for (std::uint32_t axis = view.rank; axis-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(view.dims[axis]);
    indices[axis] = static_cast<std::int64_t>(element % extent);
    element /= extent;
  }
  return indices;
}

template <typename Format>
double GetNonFiniteValue(typename Format::Key key) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (Format::IsNan(key)) return std::numeric_limits<double>::quiet_NaN();
  return key > 0 ? kInfinity : -kInfinity;
}

template <typename Format>
class Counter {
 public:
  using Key = typename Format::Key;

  explicit Counter(const MemoryView& view) : view_(view) {}

  void Add(const unsigned char* data, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, ++scan_.num_elements) {
      Key bits;
      std::memcpy(&bits, data + i * sizeof(Key), sizeof(Key));
      const Key key = Format::ToKey(bits);
      if (!Format::IsFinite(key)) CountNonFinite(key);
    }
  }

  NumberScan Get() { return std::move(scan_); }

 private:
  void CountNonFinite(Key key) {
    if (scan_.GetNumNonFinite() == 0) {
      scan_.first = FindIndices(view_, scan_.num_elements);
      scan_.first_value = GetNonFiniteValue<Format>(key);
    }
    if (Format::IsNan(key)) {
      ++scan_.num_nan;
    } else if (key > 0) {
      ++scan_.num_infinities;
    } else {
      ++scan_.num_negative_infinities;
    }
  }

  const MemoryView& view_;
  NumberScan scan_;
};

std::uint64_t CountElements(const MemoryView& view) {
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < view.rank; ++axis) {
    count *= static_cast<std::uint64_t>(view.dims[axis]);
  }
  return count;
}

}  // namespace

NumberScan ScanView(const MemoryView& view) {
  NumberScan scan;
  scan.num_elements = CountElements(view);
  WithFloatFormat(view.data_type, [&](auto format) {
    Counter<decltype(format)> counter(view);
    ViewRuns(view).ForEach(
        [&](const unsigned char* data, std::size_t count) { counter.Add(data, count); });
    scan = counter.Get();
  });
  return scan;
}

}  // namespace execution

namespace {

std::string DescribeNumber(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

const char* GetNonFiniteName(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "infinity" : "-infinity";
}

std::string DescribeIndices(const std::vector<std::int64_t>& indices) {
  std::string text;
  for (const std::int64_t index : indices) {
    text += (text.empty() ? "" : ", ") + std::to_string(index);
  }
  return '[' + text + ']';
}

}  // namespace

bool CanBeNonFinite(DataType type) {
  return execution::WithFloatFormat(type, [](auto /*format*/) {});
}

NumberScan ScanNumbers(const TensorInfo& info, const void* data) {
  MemoryView view = MakeDenseView(info);
  view.data = const_cast<void*>(data);  // only read
  return execution::ScanView(view);
}

std::string DescribeNonFinite(const NumberScan& scan) {
  std::string text;
  const auto add = [&](std::uint64_t count, const char* one, const char* many) {
    if (count == 0) return;
    text += (text.empty() ? "" : " and ") + DescribeNumber(count, one, many);
  };
  add(scan.num_nan, "NaN", "NaN");
  add(scan.num_infinities, "infinity", "infinities");
  add(scan.num_negative_infinities, "-infinity", "-infinities");
  if (text.empty()) return "";
  return text + " of " + DescribeNumber(scan.num_elements, "element", "elements") + ", first " +
         GetNonFiniteName(scan.first_value) + " at " + DescribeIndices(scan.first);
}

}  // namespace backplane
