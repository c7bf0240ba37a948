#include "kernel_builders/kernel_maker.hpp"

#include "constants/packed_constants.hpp"
#include "cpu_layers/refusal.hpp"

namespace backplane {
namespace cpuacc {

KernelMaker::KernelMaker(const Graph& graph, const Node& node, const std::vector<Layout>& layouts,
                         PackedConstants& constants, const Options& options, const Threads& threads)
    : graph_(graph),
      node_(node),
      constants_(constants),
      options_(options),
      threads_(threads),
      output_layouts_(node.outputs.size()),
      is_ignored_(node.inputs.size(), false) {
  for (const TensorId input : node.inputs) current_layouts_.push_back(layouts[input]);
  input_layouts_ = current_layouts_;
}

const Layout& KernelMaker::GetLayout(std::uint32_t index) const {
  return current_layouts_[index];
}

void KernelMaker::WantAllPlain() {
  for (std::uint32_t index = 0; index < GetNumInputs(); ++index) WantPlain(index);
}

std::shared_ptr<const void> KernelMaker::PackTogether(
    const std::vector<std::uint32_t>& inputs, const std::string& purpose,
    const std::function<std::shared_ptr<const void>()>& make) {
  std::vector<std::shared_ptr<const void>> contents;
  // Constants of other extents may begin at the same address.
  std::string form = purpose;
  for (const std::uint32_t input : inputs) {
    const GraphTensor& tensor = GetInput(input);
    IgnoreInput(input);
    contents.push_back(tensor.content);
    form += ", input " + std::to_string(input) + " " + cpu_layers::DescribeShape(tensor.info.shape);
  }
  packed_.push_back(constants_.Share(contents, form, make));
  return packed_.back();
}

std::shared_ptr<const void> KernelMaker::Pack(std::uint32_t index, const dnnl::memory::desc& from,
                                              const dnnl::memory::desc& to) {
  IgnoreInput(index);
  packed_.push_back(constants_.Pack(GetInput(index), from, to, threads_));
  return packed_.back();
}

}  // namespace cpuacc
}  // namespace backplane
