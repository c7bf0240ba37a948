// A backend that needs two libraries, one of which needs a third.
#include "minimal_backend.hpp"

int Mid();
int Side();

class NeedyBackend : public MinimalBackend {
 public:
  NeedyBackend() : sum_(Mid() + Side()) {}
  int GetSum() const { return sum_; }

 private:
  int sum_;
};

BACKPLANE_BACKEND(NeedyBackend, "Needy");
