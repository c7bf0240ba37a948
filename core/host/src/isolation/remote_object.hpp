// What all objects have in common that stand for one in another process.
#pragma once

#include "isolation/worker.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace backplane::isolation {

/// An object in the process of a backend, which is destroyed there with this one.
class RemoteObject {
 public:
  RemoteObject(std::shared_ptr<Worker> worker, std::uint64_t id)
      : worker_(std::move(worker)), id_(id) {}
  ~RemoteObject() { worker_->Destroy(id_); }
  RemoteObject(const RemoteObject&) = delete;
  RemoteObject& operator=(const RemoteObject&) = delete;

  std::uint64_t GetId() const { return id_; }
  Worker& GetWorker() const { return *worker_; }
  const std::shared_ptr<Worker>& ShareWorker() const { return worker_; }

 private:
  std::shared_ptr<Worker> worker_;
  std::uint64_t id_;
};

/// Asks for an object. Null: none was made.
/// `write` writes what follows the number of the new object; `more` gets a reply that says more.
template <typename Write>
std::unique_ptr<RemoteObject> MakeRemote(const std::shared_ptr<Worker>& worker,
                                         wire::Function function, const Write& write,
                                         const Worker::Areas& areas = {},
                                         std::unique_ptr<Reply>* more = nullptr) {
  const std::uint64_t id = worker->GetObjects().MakeIds();
  wire::Writer writer;
  writer.Put(id);
  write(writer);
  auto reply = worker->Call(function, writer, areas);
  const bool is_made = reply->reader.Take<std::uint8_t>() != 0;
  worker->CheckWhole(*reply);
  if (!is_made) return nullptr;
  if (more != nullptr) *more = std::move(reply);
  return std::make_unique<RemoteObject>(worker, id);
}

}  // namespace backplane::isolation
