#pragma once

#include "tensors/memory_check.hpp"

#include <backplane/api/i_workload.hpp>
#include <backplane/host/plugin_object.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace backplane {

/// The core's own steps keep this for one working memory.
class CoreState final : public IExecutionState {
 public:
  ~CoreState() noexcept override = default;

  /// For each Import step of memory that stays where it is, whether it was imported.
  std::vector<std::uint8_t> is_imported;
};

/// The two kinds of memory between which a step moves a tensor, by their ids; for messages.
struct TransferEnds {
  std::string from;
  std::string to;
};

/// Copies input 0 to output 0 by mapping both.
PluginObject<IWorkload> MakeMapCopyStep(TransferEnds ends);

/// How an Import layer is run.
struct ImportStepArgs {
  TransferEnds ends;
  MemorySource source = MemorySource::kUndefined;  // as which input 0 is exported
  std::vector<ImportRules> rules;                  // for each output: the tensor, and its views
  std::size_t step = 0;
  bool is_once = false;  // the memory stays where it is: import it in the first run only
};

/// Lets the outputs import the memory of input 0. Its state is a CoreState.
PluginObject<IWorkload> MakeImportStep(ImportStepArgs args);

/// How a backend's Copy workload reaches the side that is not its own.
struct DeviceCopyArgs {
  TransferEnds ends;
  PluginObject<IWorkload> workload;
  bool is_input_foreign = false;                   // else the output is
  MemorySource source = MemorySource::kUndefined;  // exported as this; kUndefined: mapped
};

/// Copies by a backend's workload, which gets a view of the other side.
PluginObject<IWorkload> MakeDeviceCopyStep(DeviceCopyArgs args);

}  // namespace backplane
