#include "harness/expectations.hpp"

#include "harness/session.hpp"

namespace backplane::check_backend {

bool ExpectStatus(Session& session, const std::string& call, Status found, Status wanted,
                  const std::string& expected) {
  return session.Expect(found == wanted, call + " returned " + DescribeStatus(found), expected);
}

bool ExpectSuccess(Session& session, Status status) {
  return ExpectStatus(session, "Execute", status, Status::kSuccess,
                      "kSuccess for a layer that it supports");
}

void ExpectNoDamage(Session& session, const std::string& damage, const std::string& of) {
  session.Expect(damage.empty(), damage, "that nothing beside " + of + " is written");
}

void ExpectRight(Session& session, const Sample& sample,
                 const std::vector<conformance::StoredTensor>& outputs, const std::string& when,
                 const std::string& expected) {
  const std::string wrong = FindWrongResult(sample, outputs);
  session.Expect(wrong.empty(), (when.empty() ? "" : when + ", ") + wrong, expected);
}

void ExpectRightRun(Session& session, const Running& running, const Sample& sample,
                    const std::string& expected) {
  ExpectRight(session, sample, RunGuarded(session, running, sample, GuardedSide::kBehind), "",
              expected);
}

void MakeAndRun(Session& session, const Sample& sample) {
  ExpectRightRun(session, MakeRunning(session.GetPlugin(), sample.made), sample);
}

}  // namespace backplane::check_backend
