#include "harness/run_code.hpp"

#include "harness/descriptor_text.hpp"
#include "harness/session.hpp"

namespace backplane::check_backend {

std::string WriteRunProgram(const std::string& path, const Sample& sample,
                            const std::string& steps) {
  return WriteProgram(path, sample.made, sample.inputs, R"(  const auto run = [&] {
    const RunArguments args(input_handles, output_handles, state.get());
    const Status status = workload->Execute(args.Show());
    std::printf("status: %s\n", GetStatusText(status));
  };
  const auto show = [&] {
    for (const auto& result : results) {
      for (const unsigned char byte : result) std::printf("%02x ", byte);
      std::printf("\n");
    }
  };
)" + steps);
}

void SetRunCode(Session& session, const Sample& sample, const std::string& steps) {
  if (session.WantsCode()) session.SetCode(WriteRunProgram(session.GetPath(), sample, steps));
}

}  // namespace backplane::check_backend
