#include "progress.hpp"

#include "rules.hpp"

#include <unistd.h>

#include <cstdio>

namespace backplane::check_backend {

Progress::Progress(std::size_t num_rules)
    : is_shown_(isatty(STDERR_FILENO) == 1), num_rules_(num_rules) {}

Progress::~Progress() {
  if (is_shown_) std::fputs("\r\033[K", stderr);
}

void Progress::Begin(const Rule& rule) {
  ++num_begun_;
  rule_ = &rule;
  Show(0);
}

void Progress::Show(std::uint64_t num_cases) {
  if (!is_shown_ || rule_ == nullptr) return;
  std::fprintf(stderr, "\r\033[K[%zu/%zu] %s, %s: %llu cases", num_begun_, num_rules_,
               GetRuleId(*rule_).c_str(), GetFamilyName(rule_->family),
               static_cast<unsigned long long>(num_cases));
  std::fflush(stderr);
}

}  // namespace backplane::check_backend
