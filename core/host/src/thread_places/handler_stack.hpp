#pragma once

namespace backplane::thread_places {

/// A stack for handlers of signals of the thread that makes it, unless the thread has one already.
/// Made and destroyed by that thread.
class HandlerStack {
 public:
  HandlerStack();
  ~HandlerStack();
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  void* memory_ = nullptr;  // null: the thread's own, or there is no memory
};

}  // namespace backplane::thread_places
