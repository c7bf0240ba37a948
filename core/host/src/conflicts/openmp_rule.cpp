#include "conflicts/clash.hpp"
#include "conflicts/openmp_marks.hpp"

namespace backplane::conflicts {
namespace {

class OpenMpRule : public ClashRule {
 public:
  explicit OpenMpRule(Process& process) : process_(process) {}

  std::vector<Clash> Check(const Arrival& arrival) override {
    const Member* own = nullptr;
    const Member* other = first_;
    for (const auto& member : arrival.members) {
      if (!member->account->has_openmp) continue;
      if (own == nullptr && other == nullptr) other = process_.FindAnyDefiner(GetOpenMpFunctions());
      if (own != nullptr && other == nullptr) other = member.get();  // both with one candidate
      if (own == nullptr) own = member.get();
    }
    if (own == nullptr || other == nullptr) return {};
    return {{ClashKind::kTwoOpenMpRuntimes, other,
             DescribeMember(*own) + " and " + DescribeMember(*other) +
                 " are both OpenMP runtimes or have one linked in, each with threads of its own "
                 "for every processor, and those that wait keep the processors from the others: "
                 "two small parallel regions one after the other, one in each, were measured to "
                 "take 36 us instead of 7; expected one runtime in a process",
             "vendor: link all with one runtime (libgomp.so.1, or libomp.so.5, which also serves "
             "code that GCC compiled), never statically; operator: OMP_WAIT_POLICY=passive, or "
             "OMP_NUM_THREADS below the number of processors, takes most of the cost away"}};
  }

  void Admit(const Arrival& arrival) override {
    for (const auto& member : arrival.members) {
      if (first_ == nullptr && member->account->has_openmp) first_ = member.get();
    }
  }

 private:
  Process& process_;
  const Member* first_ = nullptr;
};

}  // namespace

std::unique_ptr<ClashRule> MakeOpenMpRule(Process& process) {
  return std::make_unique<OpenMpRule>(process);
}

}  // namespace backplane::conflicts
