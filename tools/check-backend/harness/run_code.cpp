#include "harness/run_code.hpp"

#include "harness/descriptor_text.hpp"
#include "harness/session.hpp"

namespace backplane::check_backend {

std::string WriteRunProgram(const std::string& path, const Sample& sample,
                            const std::string& steps) {
  return WriteProgram(path, sample.made, sample.inputs, R"(  ExecuteArgs args;
  args.inputs = input_handles.data();
  args.num_inputs = static_cast<std::uint32_t>(input_handles.size());
  args.outputs = output_handles.data();
  args.num_outputs = static_cast<std::uint32_t>(output_handles.size());
  args.state = state.get();
  const auto run = [&] {
    const Status status = workload->Execute(args);
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
