// A backend with more undefined symbols than a message should list.
#include "minimal_backend.hpp"

extern "C" {
int lost_01(), lost_02(), lost_03(), lost_04(), lost_05(), lost_06();
int lost_07(), lost_08(), lost_09(), lost_10(), lost_11(), lost_12();
}

class ManyUndefinedBackend : public MinimalBackend {
 public:
  ManyUndefinedBackend()
      : sum_(lost_01() + lost_02() + lost_03() + lost_04() + lost_05() + lost_06() + lost_07() +
             lost_08() + lost_09() + lost_10() + lost_11() + lost_12()) {}
  int GetSum() const { return sum_; }

 private:
  int sum_;
};

BACKPLANE_BACKEND(ManyUndefinedBackend, "ManyUndefined");
