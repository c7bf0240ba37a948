#include "library/library.hpp"

#include <gtest/gtest.h>

namespace backplane {
namespace cpuacc_test {
namespace {

/// Tests of what lies behind the entry points call oneDNN, too.
class LibraryEnvironment : public testing::Environment {
 public:
  void SetUp() override { cpuacc::RequireLibrary(); }
};

const testing::Environment* const environment =
    testing::AddGlobalTestEnvironment(new LibraryEnvironment);

}  // namespace
}  // namespace cpuacc_test
}  // namespace backplane
