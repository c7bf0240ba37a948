#include "memory/placement_orders.hpp"

#include <algorithm>
#include <numeric>

namespace backplane {

namespace {

/// Answers what the largest value of a range is, after n log n of preparation.
class RangeMaximum {
 public:
  explicit RangeMaximum(std::vector<std::uint64_t> values) {
    levels_.push_back(std::move(values));
    for (std::size_t width = 1; 2 * width <= levels_[0].size(); width *= 2) {
      const std::vector<std::uint64_t>& narrow = levels_.back();
      std::vector<std::uint64_t> wide(levels_[0].size() + 1 - 2 * width);
      for (std::size_t i = 0; i < wide.size(); ++i) {
        wide[i] = std::max(narrow[i], narrow[i + width]);
      }
      levels_.push_back(std::move(wide));
    }
  }

  /// Both ends included.
  std::uint64_t Get(std::size_t first, std::size_t last) const {
    std::size_t level = 0;
    while ((std::size_t{2} << level) <= last - first + 1) ++level;
    const std::size_t width = std::size_t{1} << level;
    return std::max(levels_[level][first], levels_[level][last + 1 - width]);
  }

 private:
  std::vector<std::vector<std::uint64_t>> levels_;  // of the ranges as wide as a power of two
};

std::vector<std::uint64_t> FindMostAliveBeside(const std::vector<TensorLifetime>& lifetimes) {
  const RangeMaximum most(SumAlive(lifetimes));
  std::vector<std::uint64_t> found;
  found.reserve(lifetimes.size());
  for (const TensorLifetime& lifetime : lifetimes) {
    found.push_back(most.Get(lifetime.first_step, lifetime.last_step));
  }
  return found;
}

}  // namespace

PlacementOrder OrderByFirstStep(const std::vector<TensorLifetime>& lifetimes) {
  PlacementOrder order(lifetimes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return lifetimes[a].first_step < lifetimes[b].first_step;
  });
  return order;
}

std::vector<PlacementOrder> MakePlacementOrders(const std::vector<TensorLifetime>& lifetimes) {
  PlacementOrder as_they_begin = OrderByFirstStep(lifetimes);
  const auto sort_falling = [&](const auto& key) {
    PlacementOrder order = as_they_begin;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
    return order;
  };
  const auto get_size = [&](std::uint32_t index) { return lifetimes[index].size_bytes; };
  const auto get_length = [&](std::uint32_t index) {
    return lifetimes[index].last_step - lifetimes[index].first_step + 1;
  };
  const std::vector<std::uint64_t> most_alive = FindMostAliveBeside(lifetimes);
  return {sort_falling(get_size), sort_falling([&](std::uint32_t index) {
            return std::make_pair(most_alive[index], get_size(index));
          }),
          sort_falling([&](std::uint32_t index) {
            return static_cast<double>(get_size(index)) * get_length(index);
          }),
          sort_falling(get_length), as_they_begin};
}

std::vector<std::uint64_t> SumAlive(const std::vector<TensorLifetime>& lifetimes) {
  std::uint32_t num_steps = 0;
  for (const TensorLifetime& lifetime : lifetimes) {
    num_steps = std::max(num_steps, lifetime.last_step + 1);
  }
  // What begins in a step, less what ended before it. Unsigned differences add up right.
  std::vector<std::uint64_t> sums(num_steps + 1, 0);
  for (const TensorLifetime& lifetime : lifetimes) {
    sums[lifetime.first_step] += lifetime.size_bytes;
    sums[lifetime.last_step + 1] -= lifetime.size_bytes;
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  sums.pop_back();
  return sums;
}

}  // namespace backplane
