/// What processes of backends say of the memory of their tensors, and cannot be true.

#include "isolation/answering.hpp"
#include "isolation/worker_life.hpp"
#include "thread_worker.hpp"

#include <backplane/host/logging.hpp>

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/mman.h>

#include <memory>
#include <mutex>
#include <optional>
#include <ostream>

namespace backplane::test {
namespace {

using isolation::WorkerLife;
using ::testing::HasSubstr;
using wire::Function;
using wire::Writer;

/// What the process says of a tensor, for every question about it.
struct Claim {
  MemoryView view;
  std::uint64_t area = 0;
  std::uint64_t offset_bytes = 0;
  int file = -1;
  MemoryRequirements requirements;
};

MemoryView MakeTrueView() {
  MemoryView view;
  view.source = MemorySource::kMalloc;
  view.size_bytes = 24;
  view.alignment_bytes = 4;
  view.data_type = DataType::kFloat32;
  view.rank = 2;
  view.dims[0] = 2;
  view.dims[1] = 3;
  view.strides_bytes[0] = 12;
  view.strides_bytes[1] = 4;
  return view;
}

/// A claim that nobody else reads or changes meanwhile.
struct LockedClaim {
  Claim* operator->() const { return &claim; }
  Claim& operator*() const { return claim; }

  std::unique_lock<std::mutex> lock;
  Claim& claim;
};

/// Takes one factory.
struct FactoryTaker final : TensorHandleFactoryRegistry {
  Status RegisterFactory(std::unique_ptr<ITensorHandleFactory> registered) override {
    factory = std::move(registered);
    return Status::kSuccess;
  }
  Status RegisterMemoryManager(std::shared_ptr<IMemoryManager> /*memory_manager*/) override {
    return Status::kUnsupported;
  }
  std::unique_ptr<ITensorHandleFactory> factory;
};

class IsolatedViewsTest : public ::testing::Test {
 protected:
  IsolatedViewsTest() {
    isolation::WorkerPlan plan;
    plan.backend_id = "Liar";
    plan.settings.max_deaths = 1'000;
    plan.logger = CreateBackendLogger("Liar");
    plan.starter = PlayInThread([this](WorkerEnds& ends) { Play(ends); });
    life_ = std::make_shared<WorkerLife>(std::move(plan));
    Tell()->view = MakeTrueView();
    area_ = SharedArea::Make(4096);
  }
  ~IsolatedViewsTest() override {
    handle_.reset();
    registry_.factory.reset();
    life_.reset();
  }

  void Play(WorkerEnds& ends) {
    ends.AnswerOpen();
    while (const auto question = ends.Receive()) {
      const Claim claim = *Tell();
      Writer body;
      const auto put_view = [&] {
        body.Put(std::uint8_t{1}).Put(claim.view).Put(claim.area).Put(claim.offset_bytes);
      };
      if (question->function == Function::kCreateTensorHandle) {
        body.Put(std::uint8_t{1});
        put_view();
      } else if (question->function == Function::kGetRequirements) {
        body.Put(claim.requirements);
      } else {
        body.Put(Status::kSuccess);
        put_view();
      }
      Writer whole;
      whole.Put(std::uint64_t{0});
      const auto files = claim.file >= 0 ? std::vector<int>{claim.file} : std::vector<int>();
      wire::Send(ends.calls.Get(), wire::MessageKind::kAnswer, question->function,
                 whole.Get() + body.Get(), files);
    }
  }

  ITensorHandle& MakeHandle() {
    const std::uint64_t number = life_->Get()->GetObjects().MakeIds();
    wire::Message registration;
    registration.function = Function::kRegisterFactory;
    registration.body = Writer()
                            .PutText("Mock/Liar/Memory")
                            .Put(Status::kSuccess, TensorHandleFactoryProperties(), number)
                            .Get();
    isolation::AnswerForRegistry(life_->Get(), number, registry_)(registration);
    TensorHandleArgs args;
    args.info = &info_;
    handle_ = registry_.factory->CreateTensorHandle(args);
    return *handle_;
  }
  void ShowArea() {
    life_->Get()->Show(area_);
    Tell()->area = area_->GetId();
  }

  /// What the other side says from now on; it reads that in a thread of its own.
  LockedClaim Tell() { return {std::unique_lock<std::mutex>(claim_mutex_), claim_}; }

  const TensorInfo info_{{2, 3}, DataType::kFloat32};
  std::mutex claim_mutex_;
  Claim claim_;
  std::shared_ptr<SharedArea> area_;
  std::shared_ptr<WorkerLife> life_;
  FactoryTaker registry_;
  std::unique_ptr<ITensorHandle> handle_;
};

TEST_F(IsolatedViewsTest, ThatAreTrueHaveTheAddressInTheSharedMemory) {
  ShowArea();
  Tell()->offset_bytes = 64;
  const MemoryView* const view = MakeHandle().GetMemoryView();
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->data, area_->GetData() + 64);
}

// Somebody else may let go of it, when no honest backend would use it any more.
TEST_F(IsolatedViewsTest, KeepTheMemoryThatTheyNeed) {
  ShowArea();
  const ITensorHandle& handle = MakeHandle();
  const std::weak_ptr<SharedArea> area = area_;
  area_.reset();
  EXPECT_FALSE(area.expired());
  EXPECT_NE(handle.GetMemoryView()->data, nullptr);
}

TEST_F(IsolatedViewsTest, PromiseNoAlignmentThatIsNotThere) {
  ShowArea();
  Tell()->view.alignment_bytes = 4096;
  Tell()->offset_bytes = 4;
  EXPECT_EQ(MakeHandle().GetMemoryView()->alignment_bytes, 4U);
}

TEST_F(IsolatedViewsTest, OfMappedMemoryThatIsCopiedPromiseNoMoreEither) {
  ITensorHandle& handle = MakeHandle();
  Tell()->view.alignment_bytes = std::uint64_t{1} << 30U;
  MemoryView view;
  ASSERT_EQ(handle.Map(MemoryAccess::kReadWrite, &view), Status::kSuccess);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.data) % view.alignment_bytes, 0U);
}

// As an application does with memory that nobody is to write to.
TEST_F(IsolatedViewsTest, OfMemoryThatCannotBeWrittenSaySo) {
  const std::string path = "/proc/self/fd/" + std::to_string(area_->GetDescriptor());
  const wire::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  area_ = SharedArea::Open(file.Get());
  ASSERT_FALSE(area_->IsWritable());
  ShowArea();
  ITensorHandle& handle = MakeHandle();
  EXPECT_EQ(handle.GetMemoryView()->access, MemoryAccess::kRead);
  MemoryView view;
  EXPECT_EQ(handle.Map(MemoryAccess::kRead, &view), Status::kSuccess);
  EXPECT_NE(handle.Map(MemoryAccess::kReadWrite, &view), Status::kSuccess);
  Tell()->view.access = MemoryAccess::kWrite;
  EXPECT_EQ(MakeHandle().GetMemoryView(), nullptr);
}

TEST_F(IsolatedViewsTest, OfOpaqueTensorsHaveNoAddress) {
  ShowArea();
  Tell()->view.layout = TensorLayout::kOpaque;
  Tell()->view.size_bytes = std::uint64_t{1} << 60U;
  EXPECT_EQ(MakeHandle().GetMemoryView()->data, nullptr);
}

struct Lie {
  const char* name;
  void (*tell)(Claim& claim);
};

void PrintTo(const Lie& lie, std::ostream* stream) {
  *stream << lie.name;
}

class IsolatedViewLies : public IsolatedViewsTest, public ::testing::WithParamInterface<Lie> {};
INSTANTIATE_TEST_SUITE_P(
    Table, IsolatedViewLies,
    ::testing::Values(
        Lie{"MoreElements", [](Claim& claim) { claim.view.dims[0] = 1000; }},
        Lie{"MoreElementsInMoreBytes",
            [](Claim& claim) {
              claim.view.dims[0] = 100;
              claim.view.size_bytes = 1200;
            }},
        Lie{"NegativeDims", [](Claim& claim) { claim.view.dims[1] = -1; }},
        Lie{"AnotherType", [](Claim& claim) { claim.view.data_type = DataType::kFloat16; }},
        Lie{"NoSuchType", [](Claim& claim) { claim.view.data_type = static_cast<DataType>(99); }},
        Lie{"RankBeyondTheLargest", [](Claim& claim) { claim.view.rank = 9; }},
        Lie{"NegativeStrides", [](Claim& claim) { claim.view.strides_bytes[0] = -12; }},
        Lie{"StridesBeyondItsBytes", [](Claim& claim) { claim.view.strides_bytes[0] = 16; }},
        Lie{"StridesThatOverflow", [](Claim& claim) { claim.view.strides_bytes[0] = INT64_MAX; }},
        Lie{"FewerBytes", [](Claim& claim) { claim.view.size_bytes = 23; }},
        Lie{"NoSuchLayout", [](Claim& claim) { claim.view.layout = static_cast<TensorLayout>(7); }},
        Lie{"NoSuchAccess", [](Claim& claim) { claim.view.access = static_cast<MemoryAccess>(4); }},
        Lie{"NoSuchSource", [](Claim& claim) { claim.view.source = static_cast<MemorySource>(3); }},
        Lie{"BehindTheArea", [](Claim& claim) { claim.offset_bytes = 4096 - 20; }},
        Lie{"FarBehindTheArea", [](Claim& claim) { claim.offset_bytes = UINT64_MAX - 3; }},
        Lie{"NoSuchArea", [](Claim& claim) { claim.area += 1'000'000; }}),
    [](const auto& row) { return std::string(row.param.name); });

TEST_P(IsolatedViewLies, AreNotBelieved) {
  ShowArea();
  ITensorHandle& handle = MakeHandle();
  MemoryView view;
  ASSERT_EQ(handle.Map(MemoryAccess::kReadWrite, &view), Status::kSuccess);
  GetParam().tell(*Tell());
  EXPECT_NE(handle.Map(MemoryAccess::kReadWrite, &view), Status::kSuccess);
  EXPECT_NE(handle.Export(MemorySource::kMalloc, &view), Status::kSuccess);
  EXPECT_EQ(MakeHandle().GetMemoryView(), nullptr);
}

TEST_F(IsolatedViewsTest, OfFilesAreTakenWhenTheseKeepTheirLength) {
  Tell()->view.source = MemorySource::kFileDescriptor;
  Tell()->view.file_descriptor = 0;
  const wire::FileDescriptor good(memfd_create("good", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const wire::FileDescriptor bad(memfd_create("bad", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(good.Get(), 4096), 0);
  ASSERT_EQ(ftruncate(bad.Get(), 4096), 0);
  Tell()->file = good.Get();
  ITensorHandle& handle = MakeHandle();
  MemoryView view;
  ASSERT_EQ(handle.Export(MemorySource::kFileDescriptor, &view), Status::kSuccess);
  EXPECT_NE(ftruncate(good.Get(), 0), 0) << "it could become shorter";
  Tell()->file = bad.Get();
  EXPECT_EQ(handle.Export(MemorySource::kFileDescriptor, &view), Status::kUnsupported);
  Tell()->file = -1;
}

TEST_F(IsolatedViewsTest, OfMemoryThatNoMachineHasAreNoRequirements) {
  MakeHandle();
  TensorRequirementsArgs args;
  args.info = &info_;
  Tell()->requirements.size_bytes = 96;
  Tell()->requirements.alignment_bytes = 32;
  EXPECT_EQ(registry_.factory->GetRequirements(args).size_bytes, 96U);
  Tell()->requirements.size_bytes = UINT64_MAX - 31;
  try {
    registry_.factory->GetRequirements(args);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(UINT64_MAX - 31)));
  }
}

TEST_F(IsolatedViewsTest, AreOfThoseHandlesAloneThatTheBackendMade) {
  const ITensorHandle* const handle = &MakeHandle();
  EXPECT_TRUE(life_->Get()->GetObjects().handles.Has(handle));
  const std::uint64_t epoch = life_->Get()->GetObjects().GetHandleEpoch();
  handle_.reset();
  EXPECT_FALSE(life_->Get()->GetObjects().handles.Has(handle));
  EXPECT_NE(life_->Get()->GetObjects().GetHandleEpoch(), epoch);
}

}  // namespace
}  // namespace backplane::test
