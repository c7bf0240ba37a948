#include "lying_worker.hpp"

#include "../telling_number.hpp"
#include "honest_backend.hpp"
#include "serving/served_backend.hpp"
#include "shared_words.hpp"
#include "wire/channel.hpp"
#include "wire/lane.hpp"
#include "wire_message.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace backplane::fuzz {
namespace {

using wire::FileDescriptor;
using wire::Function;
using wire::Message;
using wire::MessageKind;
using wire::Writer;

constexpr std::size_t kFileBytes = 4096;

struct SocketPair {
  SocketPair() {
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
    outer = FileDescriptor(ends[0]);
    inner = FileDescriptor(ends[1]);
  }
  FileDescriptor outer;
  FileDescriptor inner;  // of the one who serves
};

void ChangeBytes(std::string& body, std::size_t place, const void* bytes, std::size_t size_bytes) {
  if (body.size() < size_bytes) return;
  std::memcpy(&body[place % (body.size() - size_bytes + 1)], bytes, size_bytes);
}

/// Also one that is open for reading alone, one that cannot be sealed, and what is no memory.
FileDescriptor MakeFile(std::uint32_t kind, int socket) {
  switch (kind % 7) {
    case 0:
    case 1:
    case 2: {
      FileDescriptor file(memfd_create("lie", kind % 7 == 0 ? 0U : MFD_ALLOW_SEALING));
      if (ftruncate(file.Get(), kFileBytes) != 0) std::abort();
      if (kind % 7 != 2) return file;
      return FileDescriptor(
          open(("/proc/self/fd/" + std::to_string(file.Get())).c_str(), O_RDONLY | O_CLOEXEC));
    }
    case 3:
      return FileDescriptor(open("/dev/zero", O_RDWR | O_CLOEXEC));
    case 4: {
      int ends[2] = {-1, -1};
      if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
      close(ends[1]);
      return FileDescriptor(ends[0]);
    }
    case 5:
      return FileDescriptor(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    default:
      return FileDescriptor(fcntl(socket, F_DUPFD_CLOEXEC, 0));
  }
}

class LyingWorker {
 public:
  LyingWorker(test::WorkerEnds& ends, Lies& lies) : ends_(ends), lies_(lies) {}

  void Play() {
    std::thread server([this] { Serve(); });
    while (PassNext()) continue;
    has_ended_ = true;
    shutdown(calls_.outer.Get(), SHUT_RDWR);
    shutdown(notices_.outer.Get(), SHUT_RDWR);
    // The other side need not wait until this one has cleaned up.
    shutdown(ends_.calls.Get(), SHUT_RDWR);
    server.join();
  }

 private:
  void Serve() {
    const auto backend = MakeHonestBackend([this] { return LieInRun(); });
    serving::HostLine line(calls_.inner.Get());
    serving::Notices notices(notices_.inner.Get());
    serving::ServedBackend served(*backend, line, notices);
    served.Serve([](const char*) {});
    shutdown(calls_.inner.Get(), SHUT_RDWR);
  }

  bool PassNext() {
    pollfd sides[] = {{ends_.calls.Get(), POLLIN, 0},
                      {calls_.outer.Get(), POLLIN, 0},
                      {notices_.outer.Get(), POLLIN, 0}};
    if (poll(sides, std::size(sides), -1) < 0) return errno == EINTR;
    if (sides[2].revents != 0) PassNotices();
    if (sides[0].revents != 0 && !PassQuestion()) return false;
    return sides[1].revents == 0 || PassAnswer();
  }

  // All that have come, for those that were sent before an answer come before it.
  void PassNotices() {
    Message notice;
    while (inbox_.Take(notices_.outer.Get(), notice) == wire::Found::kMessage) {
      WireMessage(notice).Send(ends_.notices.Get());
    }
  }

  bool PassQuestion() {
    auto question = ends_.Receive();
    if (!question) return false;
    wire::Reader reader(question->body);
    const bool is_answer = question->kind != MessageKind::kCall;
    if (question->function == Function::kAddArea && !question->descriptors.empty()) {
      words_.Add(reader.Take<std::uint64_t>(), question->descriptors.front().Get());
    } else if (question->function == Function::kCreateLane) {
      reader.Take<std::uint64_t>();
      reader.Take<std::uint64_t>();
      words_.SetLane(reader.Take<std::uint64_t>());
    }
    WireMessage wire(*question);
    if (EndsLives(wire.function)) return wire.Send(calls_.outer.Get());
    auto lie = lies_.Take(LieEvent::kQuestion);
    for (; lie; lie = lies_.Take(LieEvent::kQuestion, true)) ChangeQuestion(*lie, wire);
    if (std::exchange(is_repeated_, false) && !is_answer) {
      WireMessage again = Copy(wire);
      if (!again.Send(calls_.outer.Get())) return false;
      ++num_answers_to_drop_;
    }
    return wire.Send(calls_.outer.Get());
  }

  /// How long things are used is for the host to say: it can take from a backend what that uses.
  static bool EndsLives(std::uint32_t function) {
    const auto asked = static_cast<Function>(function);
    return asked == Function::kDestroy || asked == Function::kDropArea ||
           asked == Function::kReleaseBlock;
  }

  void ChangeQuestion(const Lie& lie, WireMessage& wire) {
    const std::uint64_t number = PickTelling(lie.value);
    switch (lie.kind) {
      case LieKind::kChangeQuestionByte:
        return ChangeBytes(wire.body, lie.place, &lie.value, 1);
      case LieKind::kChangeQuestionWord:
        return ChangeBytes(wire.body, lie.place, &lie.value, sizeof(lie.value));
      case LieKind::kChangeQuestionNumber:
        return ChangeBytes(wire.body, lie.place, &number, sizeof(number));
      case LieKind::kCutQuestion:
        return wire.SetBody(wire.body.substr(0, lie.place));
      case LieKind::kSetQuestionFunction:
        if (!EndsLives(lie.value % kNumFunctions)) wire.function = lie.value % kNumFunctions;
        return;
      case LieKind::kRepeatQuestion:
        is_repeated_ = true;
        return;
      case LieKind::kDropQuestionDescriptors:
        return wire.SetDescriptors({});
      default:
        return words_.WriteArea(lie);
    }
  }

  bool PassAnswer() {
    wire::Message answer;
    const wire::Found found = wire::Receive(calls_.outer.Get(), answer);
    PassNotices();
    if (found != wire::Found::kMessage) return false;
    if (num_answers_to_drop_ != 0 && answer.kind != MessageKind::kCall) {
      --num_answers_to_drop_;
      return true;
    }
    KeepFiles(answer.descriptors);
    WireMessage wire(answer);
    WireMessage honest = Copy(wire);
    copies_ = 1;
    auto lie = lies_.Take(LieEvent::kAnswer);
    for (; lie; lie = lies_.Take(LieEvent::kAnswer, true)) {
      if (!ChangeAnswer(*lie, wire)) return false;
    }
    former_ = std::make_unique<WireMessage>(std::move(honest));
    for (int i = 0; i < copies_; ++i) {
      if (!wire.Send(ends_.calls.Get())) return false;
    }
    return true;
  }

  /// False: the process ends.
  bool ChangeAnswer(const Lie& lie, WireMessage& wire) {
    const std::uint64_t number = PickTelling(lie.value);
    switch (lie.kind) {
      case LieKind::kChangeByte:
        ChangeBytes(wire.body, lie.place, &lie.value, 1);
        break;
      case LieKind::kChangeWord:
        ChangeBytes(wire.body, lie.place, &lie.value, sizeof(lie.value));
        break;
      case LieKind::kChangeNumber:
        ChangeBytes(wire.body, lie.place, &number, sizeof(number));
        break;
      case LieKind::kCutBody:
        wire.SetBody(wire.body.substr(0, lie.place));
        break;
      case LieKind::kGrowBody:
        wire.SetBody(wire.body + std::string(lie.place, static_cast<char>(lie.value)));
        break;
      case LieKind::kSetMark:
        wire.mark = lie.value;
        break;
      case LieKind::kSetKind:
        wire.kind = lie.value % 6;
        break;
      case LieKind::kSetFunction:
        wire.function = lie.value % (kNumFunctions + 1);
        break;
      case LieKind::kSetNumDescriptors:
        wire.num_descriptors = lie.value;
        break;
      case LieKind::kSetBodyBytes:
        wire.body_bytes = number;
        break;
      case LieKind::kCutMessage:
        wire.sent_bytes = lie.place;
        break;
      case LieKind::kRepeat:
        copies_ = 2;
        break;
      case LieKind::kSayFormer:
        if (former_) wire = Copy(*former_);
        break;
      case LieKind::kAskFirst:
        return AskFirst(lie, wire);
      case LieKind::kThrowInstead:
        wire.kind = static_cast<std::uint32_t>(MessageKind::kThrown);
        wire.SetBody(Writer().Put(lie.value % 4).Put(lie.value).PutText("a lie").Get());
        break;
      case LieKind::kNoticeFirst:
        SendNotice(lie.value % kNumFunctions, wire.body);
        break;
      case LieKind::kSampleFirst:
        SendNotice(static_cast<std::uint32_t>(Function::kCounterSamples),
                   Writer().Put(std::uint64_t{lie.value}).PutText(wire.body).Get());
        break;
      case LieKind::kOutputFirst:
        Print(lie, wire.body);
        break;
      case LieKind::kDropDescriptors:
        wire.SetDescriptors({});
        break;
      case LieKind::kAddDescriptors:
        AddDescriptors(lie, wire);
        break;
      case LieKind::kShortenFiles:
        for (const FileDescriptor& file : files_) static_cast<void>(!ftruncate(file.Get(), 0));
        break;
      case LieKind::kEndWithAccount:
        static_cast<void>(!write(ends_.account.Get(), wire.body.data(), wire.body.size()));
        return false;
      case LieKind::kBeSilent:
        copies_ = 0;
        // Once; who is silent at everything costs too much time.
        return !std::exchange(is_silent_, true);
      default:
        return false;
    }
    return true;
  }

  bool AskFirst(const Lie& lie, const WireMessage& wire) {
    WireMessage question = Copy(wire);
    question.kind = static_cast<std::uint32_t>(MessageKind::kCall);
    question.function =
        static_cast<std::uint32_t>(Function::kAddLayer) + lie.value % kNumFunctionsOfWorker;
    return question.Send(ends_.calls.Get()) && ends_.Receive();
  }

  void SendNotice(std::uint32_t function, const std::string& body) {
    wire::Send(ends_.notices.Get(), MessageKind::kNotice, static_cast<Function>(function), body);
  }

  void Print(const Lie& lie, const std::string& text) {
    Writer frame;
    frame.Put(lie.value % 2 == 0 ? 'e' : 'o').Put(lie.place);
    const std::string bytes = frame.Get() + text.substr(0, 1024);
    static_cast<void>(!write(ends_.output.Get(), bytes.data(), bytes.size()));
  }

  void AddDescriptors(const Lie& lie, WireMessage& wire) {
    constexpr std::size_t kCounts[] = {1, 2, 64, 65};
    std::vector<FileDescriptor> descriptors = std::move(wire.descriptors);
    const std::size_t count = kCounts[lie.place % std::size(kCounts)];
    while (descriptors.size() < count) {
      descriptors.push_back(MakeFile(lie.value, ends_.calls.Get()));
    }
    KeepFiles(descriptors);
    wire.SetDescriptors(std::move(descriptors));
  }

  void KeepFiles(const std::vector<FileDescriptor>& descriptors) {
    for (const FileDescriptor& descriptor : descriptors) {
      files_.emplace_back(fcntl(descriptor.Get(), F_DUPFD_CLOEXEC, 0));
    }
  }

  static WireMessage Copy(const WireMessage& wire) {
    Message message{
        static_cast<MessageKind>(wire.kind), static_cast<Function>(wire.function), wire.body, {}};
    WireMessage copy(message);
    std::vector<FileDescriptor> descriptors;
    for (const FileDescriptor& descriptor : wire.descriptors) {
      descriptors.emplace_back(fcntl(descriptor.Get(), F_DUPFD_CLOEXEC, 0));
    }
    copy.SetDescriptors(std::move(descriptors));
    return copy;
  }

  /// In the thread of a lane.
  Status LieInRun() {
    Status status = Status::kSuccess;
    auto lie = lies_.Take(LieEvent::kRun);
    for (; lie; lie = lies_.Take(LieEvent::kRun, true)) {
      switch (lie->kind) {
        case LieKind::kWriteLane:
          words_.WriteLane(*lie);
          break;
        case LieKind::kWriteOperand:
          words_.WriteOperand(*lie);
          break;
        case LieKind::kWriteArea:
          words_.WriteArea(*lie);
          break;
        case LieKind::kScribble:
          words_.Scribble(*lie);
          break;
        case LieKind::kThrow:
          throw std::runtime_error(std::string(lie->place, 'x'));
        case LieKind::kReturnStatus:
          status = static_cast<Status>(lie->value);
          break;
        case LieKind::kStayAway:
          StayAway();
          break;
        default:
          shutdown(calls_.outer.Get(), SHUT_RDWR);
      }
    }
    return status;
  }

  void StayAway() const {
    for (int i = 0; i < 4 * kPatienceMs && !has_ended_; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static constexpr std::uint32_t kNumFunctions =
      static_cast<std::uint32_t>(Function::kCounterSamples) + 1;
  static constexpr std::uint32_t kNumFunctionsOfWorker =
      static_cast<std::uint32_t>(Function::kRegisterMemoryManager) + 1 -
      static_cast<std::uint32_t>(Function::kAddLayer);

  test::WorkerEnds& ends_;
  Lies& lies_;
  SocketPair calls_;
  SocketPair notices_;
  wire::Inbox inbox_;
  SharedWords words_;
  std::vector<FileDescriptor> files_;  // that the host was given
  std::unique_ptr<WireMessage> former_;
  int copies_ = 1;
  int num_answers_to_drop_ = 0;
  bool is_repeated_ = false;
  bool is_silent_ = false;
  std::atomic<bool> has_ended_{false};
};

}  // namespace

void PlayLyingWorker(test::WorkerEnds& ends, Lies& lies) {
  LyingWorker(ends, lies).Play();
}

}  // namespace backplane::fuzz
