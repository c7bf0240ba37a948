#pragma once

/// What tests see and steer of the objects of the complete mock, by two environment variables:
///
/// MOCK_THROWS="IWorkload::Execute Number" makes one function throw, or "~IWorkload Standard" one
/// destructor. What is thrown is Standard, Own, Number or OutOfMemory.
/// MOCK_RECORD=<file> gets a line for each object that is destroyed, for the library when it is
/// closed, and for each call that goes beyond the functions of an interface.

#include <backplane/api/backend.hpp>

#include <string>

namespace complete_mock {

/// Throws what MOCK_THROWS asks for, when it names this function.
void Pass(const char* function);

/// Adds a line to the file of MOCK_RECORD.
void Record(const std::string& event);

template <typename Interface>
struct NameOf;

#define COMPLETE_MOCK_NAME(interface)                \
  template <>                                        \
  struct NameOf<backplane::interface> {              \
    static constexpr const char* kName = #interface; \
  }
COMPLETE_MOCK_NAME(IBackendInternal);
COMPLETE_MOCK_NAME(ILayerSupport);
COMPLETE_MOCK_NAME(IWorkloadFactory);
COMPLETE_MOCK_NAME(IWorkload);
COMPLETE_MOCK_NAME(IExecutionState);
COMPLETE_MOCK_NAME(IPreCompiledObject);
COMPLETE_MOCK_NAME(IMemoryManager);
COMPLETE_MOCK_NAME(ITensorHandle);
COMPLETE_MOCK_NAME(ITensorHandleFactory);
COMPLETE_MOCK_NAME(IBackendContext);
COMPLETE_MOCK_NAME(IBackendModelContext);
COMPLETE_MOCK_NAME(IBackendProfilingContext);
#undef COMPLETE_MOCK_NAME

/// Base of the mock's objects. Its private functions stand in the table right behind those of the
/// interface, where a newer version of the interface has functions that this mock does not know.
template <typename Interface>
class Watched : public Interface {
 public:
  ~Watched() override {
    const std::string destructor = std::string("~") + NameOf<Interface>::kName;
    Record(destructor);
    Pass(destructor.c_str());
  }

 private:
  virtual int TrapFirst() { return CountTrap(); }
  virtual int TrapSecond() { return CountTrap(); }
  virtual int TrapThird() { return CountTrap(); }

  static int CountTrap() {
    Record(std::string("beyond ") + NameOf<Interface>::kName);
    return -1;
  }
};

}  // namespace complete_mock
