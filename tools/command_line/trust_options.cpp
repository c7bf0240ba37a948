#include "command_line/trust_options.hpp"

#include "command_line/usage.hpp"
#include "command_line/values.hpp"

namespace backplane::command_line {

void AddTrustOptions(CLI::App& app, TrustOptions& options) {
  AddChoice<TrustPolicy>(app, "--trust", options.policy,
                         {{GetTrustPolicyName(TrustPolicy::kOwner), TrustPolicy::kOwner},
                          {GetTrustPolicyName(TrustPolicy::kStrict), TrustPolicy::kStrict},
                          {GetTrustPolicyName(TrustPolicy::kOff), TrustPolicy::kOff}},
                         "Refuse files any user may write; with strict also\n"
                         "those of other users or groups; default: owner");
  const auto take_list = [command = app.get_name(), &options](const std::string& file) {
    if (file.empty()) {
      // It would allow everything, where a list was meant to limit.
      ThrowUsage(command, "--digests", "--digests needs the name of a file",
                 "found \"\", expected a file as sha256sum writes it");
    }
    options.digest_list = file;
  };
  app.add_option_function<std::string>("--digests", take_list,
                                       "Only open files whose SHA-256 digest is in FILE,\n"
                                       "as sha256sum writes it")
      ->type_name("FILE");
}

}  // namespace backplane::command_line
