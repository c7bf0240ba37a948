// A backend with symbols that nothing defines, and a weak one that nothing needs to define.
#include "minimal_backend.hpp"

namespace acme {
int Compute(int value);
extern int table[4];
__attribute__((weak)) int Maybe();
}  // namespace acme
extern "C" int acme_start();

class UndefinedBackend : public MinimalBackend {
 public:
  UndefinedBackend()
      : sum_(acme::Compute(acme_start()) + acme::table[1] + (acme::Maybe != nullptr ? 1 : 0)) {}
  int GetSum() const { return sum_; }

 private:
  int sum_;
};

BACKPLANE_BACKEND(UndefinedBackend, "Undefined");
