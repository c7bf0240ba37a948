#pragma once

#include <cstddef>
#include <cstdint>

namespace backplane::check_backend {

struct Rule;

/// Says on standard error what goes on, when that is a terminal.
class Progress {
 public:
  explicit Progress(std::size_t num_rules);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Begin(const Rule& rule);
  void Show(std::uint64_t num_cases);

 private:
  const bool is_shown_;
  const std::size_t num_rules_;
  std::size_t num_begun_ = 0;
  const Rule* rule_ = nullptr;
};

}  // namespace backplane::check_backend
