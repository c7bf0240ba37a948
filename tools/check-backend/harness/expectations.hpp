#pragma once

/// What rules of several families expect, in the same words.

#include "harness/samples.hpp"

#include <string>
#include <vector>

namespace backplane::check_backend {

/// A call gave the status `wanted`. `expected`: "kUnsupported, as ...".
bool ExpectStatus(Session& session, const std::string& call, Status found, Status wanted,
                  const std::string& expected);

/// Execute was successful, for a layer that the backend says it supports.
bool ExpectSuccess(Session& session, Status status);

/// `damage` is none, as GuardedTensor::DescribeDamage tells it. `of`: "the outputs".
void ExpectNoDamage(Session& session, const std::string& damage,
                    const std::string& of = "the outputs");

/// The outputs of a sample are right. `when`: for what is told, as "in the first run"; "" when
/// there is only one.
void ExpectRight(Session& session, const Sample& sample,
                 const std::vector<conformance::StoredTensor>& outputs,
                 const std::string& when = "", const std::string& expected = kExpectedResult);

/// The outputs of a guarded run are.
void ExpectRightRun(Session& session, const Running& running, const Sample& sample,
                    const std::string& expected = kExpectedResult);

/// The outputs of a guarded run are, of which nothing stays but the library.
void MakeAndRun(Session& session, const Sample& sample);

}  // namespace backplane::check_backend
