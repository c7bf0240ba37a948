#pragma once

/// What a backend can do to the process that runs it, and where it does it.

namespace backplane::mock {

enum class Deed {
  kNothing,
  kSegfault,
  kAbort,
  kIllegalInstruction,
  kBusError,
  kDivideByZero,
  kThrow,
  kOverflowStack,
  kExhaustMemory,
  kLoop,
  kExit,
  kExitAtOnce,
  kKill,
  kFork,
  kLeaveThread,
  kPrint,
  kChangeState,
  kFlushDenormals,
  kLeaveDescriptor,
  kScribbleOverDescriptors,
  kCloseDescriptors,
  kPrintEndlessly,
  kIgnoreSignals,
  kThrowInNoexcept,
  kThrowInThread,
  kSegfaultInThread,
  kWriteManyErrors,
  kCloseErrors,
  kRedirectOutput,
  kForkAndGoOn,
  kChangeLimits,
  kSegfaultAtExit,
};

enum class Place {
  kNowhere,
  kConstructor,
  kGetBackendId,
  kGetVersion,
  kFactory,
  kContext,
  kClosing
};

void Do(Deed deed);

}  // namespace backplane::mock
