// What all objects have in common that stand for one in another process.
#pragma once

#include "isolation/worker_link.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace backplane::isolation {

/// An object in the process of a backend, which is destroyed there with this one.
class RemoteObject {
 public:
  /// `step` made it; null: it is not made again in another process.
  RemoteObject(std::shared_ptr<WorkerLink> link, std::uint64_t id, std::shared_ptr<Step> step)
      : link_(std::move(link)), id_(id), step_(std::move(step)) {}
  ~RemoteObject();
  RemoteObject(const RemoteObject&) = delete;
  RemoteObject& operator=(const RemoteObject&) = delete;

  std::uint64_t GetId() const { return id_; }
  WorkerLink& GetLink() const { return *link_; }
  const std::shared_ptr<WorkerLink>& ShareLink() const { return link_; }

 private:
  std::shared_ptr<WorkerLink> link_;
  std::uint64_t id_;
  std::shared_ptr<Step> step_;
};

/// Asks for an object. Null: none was made.
/// `write` writes what follows the number of the new object.
template <typename Write>
std::unique_ptr<RemoteObject> MakeRemote(const std::shared_ptr<WorkerLink>& link,
                                         messages::Function function, const Write& write) {
  const std::uint64_t id = link->MakeIds();
  messages::Writer writer;
  writer.Put(id);
  write(writer);
  auto step = std::make_shared<Step>();
  step->function = function;
  step->body = writer.Get();
  const auto reply = link->CallAndKeep(step);
  const bool is_made = reply->reader.Take<std::uint8_t>() != 0;
  link->CheckWhole(*reply);
  if (!is_made) return nullptr;
  return std::make_unique<RemoteObject>(link, id, std::move(step));
}

}  // namespace backplane::isolation
