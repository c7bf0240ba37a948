#pragma once

namespace mutants {

/// Where a deed of deeds.def can be done to the process.
/// MOCK_DEED="<deed> in <place>", read when the library is opened, says which and where.
enum class Place {
  kNowhere,
  kContext,   // when a context is made
  kRegister,  // when kinds of tensor memory are registered
  kSupport,   // when it is asked whether it supports a layer
  kCompile,   // when it is offered a sub-graph
  kLoad,      // when a workload is made
  kExecute,   // when a workload runs
  kUnload,    // when a workload is destroyed
};

/// Does the deed when it is to be done in this place.
void Pass(Place place);

}  // namespace mutants
