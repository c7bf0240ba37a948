#include "isolation/start_worker.hpp"

#include "spawn/ends.hpp"

namespace backplane::isolation {
namespace {

class WorkerOfProgram final : public StartedWorker {
 public:
  explicit WorkerOfProgram(pid_t process) : process_(process) {}
  void Terminate() override { process_.Terminate(); }
  void Kill() override { process_.Kill(); }
  std::string Reap() override { return spawn::DescribeStatus(process_.Reap()); }

 private:
  spawn::StartedProcess process_;
};

}  // namespace

std::unique_ptr<StartedWorker> StartWorkerProcess(spawn::ChildProgram& program, int& error) {
  pid_t process = -1;
  error = spawn::StartProgram(program, process);
  if (error != 0) return nullptr;
  return std::make_unique<WorkerOfProgram>(process);
}

}  // namespace backplane::isolation
