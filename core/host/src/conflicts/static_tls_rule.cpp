#include "conflicts/clash.hpp"
#include "diagnostics/file_words.hpp"
#include "inspection/loader_settings.hpp"

#include <algorithm>

namespace backplane::conflicts {
namespace {

class StaticTlsRule : public ClashRule {
 public:
  explicit StaticTlsRule(Process& process)
      : all_bytes_(process.GetHost().static_tls.GetFreeBytes()),
        reserve_(process.GetHost().static_tls) {}

  std::vector<Clash> Check(const Arrival& arrival) override {
    after_ = reserve_;
    std::uint64_t needed_bytes = 0;
    bool is_enough = true;
    for (const auto& member : arrival.members) {
      const StaticTls& tls = member->account->static_tls;
      if (tls.size_bytes == 0) continue;
      needed_bytes += tls.size_bytes;
      wanted_bytes_ += tls.size_bytes + tls.alignment;
      is_enough = is_enough && after_.Take(tls);
    }
    // A file that needs too much alone clashes with nobody.
    if (is_enough || greatest_ == nullptr || needed_bytes > all_bytes_) return {};
    return {MakeClash(arrival, needed_bytes)};
  }

  void Admit(const Arrival& arrival) override {
    reserve_ = after_;
    for (const auto& member : arrival.members) {
      const std::uint64_t size_bytes = member->account->static_tls.size_bytes;
      if (size_bytes == 0) continue;
      takers_.push_back(DescribeMember(*member) + " " + std::to_string(size_bytes));
      if (size_bytes <= greatest_bytes_) continue;
      greatest_ = member.get();
      greatest_bytes_ = size_bytes;
    }
  }

 private:
  Clash MakeClash(const Arrival& arrival, std::uint64_t needed_bytes) const {
    const std::uint64_t set_bytes = inspection::GetOptionalStaticTlsBytes();
    constexpr std::uint64_t kStep = 64;
    const std::uint64_t more_bytes = wanted_bytes_ > all_bytes_ ? wanted_bytes_ - all_bytes_ : 0;
    const std::uint64_t enough = (set_bytes + more_bytes + kStep) / kStep * kStep;
    return {ClashKind::kStaticTlsUsedUp, greatest_,
            arrival.candidate->path + " needs " + std::to_string(needed_bytes) +
                " bytes of static thread-local storage, and " +
                std::to_string(reserve_.GetFreeBytes()) + " of " + std::to_string(all_bytes_) +
                " are left behind what was opened before it (" +
                diagnostics::JoinSomeWithAnd(takers_) +
                "); expected enough for all, as the C library sets the reserve aside when the "
                "program starts",
            "start the program with " + inspection::MakeStaticTlsSetting(enough) +
                ", with which this one and all before it fit; vendor: compile without "
                "-ftls-model=initial-exec"};
  }

  const std::uint64_t all_bytes_;
  StaticTlsReserve reserve_;
  StaticTlsReserve after_{0};       // with what arrives
  std::uint64_t wanted_bytes_ = 0;  // by all so far, those that could not stay too
  const Member* greatest_ = nullptr;
  std::uint64_t greatest_bytes_ = 0;
  std::vector<std::string> takers_;
};

}  // namespace

std::unique_ptr<ClashRule> MakeStaticTlsRule(Process& process) {
  return std::make_unique<StaticTlsRule>(process);
}

}  // namespace backplane::conflicts
