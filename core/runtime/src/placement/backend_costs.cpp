#include "placement/backend_costs.hpp"

#include <backplane/host/capabilities.hpp>

namespace backplane {

namespace {

void Read(const BackendCapabilities& capabilities, const char* name, double& value) {
  const OptionValue* const stated = FindCapability(capabilities, name);
  if (stated == nullptr) return;
  const double number = stated->type == OptionType::kFloat ? stated->float_value
                                                           : static_cast<double>(stated->int_value);
  // What is no cost is taken as not stated.
  const bool is_number = stated->type == OptionType::kFloat || stated->type == OptionType::kInt;
  if (is_number && number > 0 && number < 1e18) value = number;
}

}  // namespace

BackendCosts ReadCosts(const BackendCapabilities& capabilities) {
  BackendCosts costs;
  Read(capabilities, kCapabilityCrossingTime, costs.crossing_time);
  Read(capabilities, kCapabilityCrossingRate, costs.crossing_rate);
  Read(capabilities, kCapabilityLaunchTime, costs.launch_time);
  Read(capabilities, kCapabilityComputeRate, costs.compute_rate);
  return costs;
}

}  // namespace backplane
