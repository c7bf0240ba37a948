#include "moves/replaced_part.hpp"

#include "moves/moves.hpp"

namespace backplane {
namespace cpuacc {
namespace {

/// All elements of a plain tensor.
StridedCopy MakeWholeCopy(const TensorInfo& info) {
  StridedCopy copy(GetDataTypeSizeBytes(info.data_type));
  copy.AddAxis(info.shape.GetNumElements(), 1, 1);
  copy.Prepare();
  return copy;
}

class ReplacedPartKernel : public Kernel {
 public:
  ReplacedPartKernel(const StridedCopy& whole, const StridedCopy& part)
      : whole_(whole), part_(part) {}

  bool MayOverwriteInput() const override { return true; }

  void Run(const KernelRun& run) const override {
    if (run.inputs[0] != run.outputs[0]) {
      RunCopy(whole_, run.inputs[0], run.outputs[0], run.threads);
    }
    RunCopy(part_, run.inputs[1], run.outputs[0], run.threads);
  }

 private:
  const StridedCopy whole_;
  const StridedCopy part_;
};

}  // namespace

std::unique_ptr<const Kernel> MakeReplacedPart(KernelMaker& maker) {
  maker.WantAllPlain();
  const auto replaced = maker.GetNode().GetDescriptor<ReplacedPartDescriptor>();
  const TensorInfo& whole = maker.GetOutput().info;
  const TensorInfo& part = maker.GetInput(1).info;
  const Layout plain;
  return std::make_unique<ReplacedPartKernel>(
      MakeWholeCopy(whole),
      MakePartCopy({whole, plain}, {part, plain}, {replaced.axis, replaced.begin}, PartIs::kRead));
}

}  // namespace cpuacc
}  // namespace backplane
