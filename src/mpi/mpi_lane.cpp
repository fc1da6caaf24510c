#include "mpi/mpi_lane.hpp"

#include "core/error.hpp"
#include "mpi/hang_watch.hpp"
#include "mpi/mpi_device.hpp"
#include "probe/host.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <unistd.h>
#include <utility>

namespace viaduct {

namespace {

class MpiLane : public Lane {
 public:
  MpiLane(std::string path, MPI_Comm comm, const MpiPlace& place, HangWatch::OnHang on_hang)
      : path_(std::move(path)),
        comm_(comm),
        place_(place),
        watch_(std::move(on_hang)) {}

  [[nodiscard]] const std::string& path() const override { return path_; }

  void start(const Request& request) override;
  Reply finish(Deadline deadline, const Abandon& abandon) override;

  void kill() noexcept override { is_alive_ = false; }

  [[nodiscard]] bool is_alive() const override { return is_alive_; }

 private:
  /// One answer for each kind of request.
  struct Answer {
    MpiLane& lane;
    Deadline deadline;

    Reply operator()(const HelloRequest& request) const;
    Reply operator()(const MakeIdRequest& request) const;
    Reply operator()(const InitRequest& request) const;
    Reply operator()(const DescribeRequest& request) const;
    Reply operator()(const OpenRequest& request) const;
    Reply operator()(const BatchRequest& request) const;
    Reply operator()(const CloseRequest& request) const;
    Reply operator()(const QuitRequest& request) const;
  };

  Reply answer(const Request& request, Deadline deadline);
  MpiDevice& device();
  void throw_if_dead() const;

  std::string path_;
  MPI_Comm comm_;
  MpiPlace place_;
  HangWatch watch_;
  bool is_alive_ = true;
  std::optional<Request> request_;
  std::unique_ptr<MpiDevice> device_;
};

void MpiLane::throw_if_dead() const {
  if (!is_alive_) {
    throw Error(ErrorKind::lost, fmt::format("the lane of path {} has been ended", path_));
  }
}

void MpiLane::start(const Request& request) {
  throw_if_dead();
  if (request_) {
    throw Error(
        ErrorKind::internal,
        fmt::format(
            "phase {} was started before phase {} was finished", phase(request), phase(*request_)));
  }
  request_ = request;
}

/// `abandon` cannot be asked: the thread that would ask is inside MPI.
Reply MpiLane::finish(Deadline deadline, const Abandon&) {
  throw_if_dead();
  if (!request_) {
    throw Error(ErrorKind::internal, "an answer was awaited, but nothing was asked");
  }
  const Request request = *std::exchange(request_, std::nullopt);
  const std::string late = fmt::format("no answer of path {} within {:.1f} s in phase {}",
                                       path_,
                                       deadline.seconds_left(),
                                       phase(request));
  const HangGuard guard(watch_, deadline, late + ": an MPI call does not return");
  Reply reply = answer(request, deadline);
  if (deadline.has_passed()) {
    kill();
    throw Error(ErrorKind::lost, late);
  }
  return reply;
}

Reply MpiLane::answer(const Request& request, Deadline deadline) {
  try {
    return std::visit(Answer{*this, deadline}, request);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::mpi) {
      // What a failed call leaves of a communicator is undefined.
      kill();
    }
    return Failure{error.kind(), error.message()};
  } catch (const std::exception& error) {
    return Failure{ErrorKind::internal, error.what()};
  }
}

GroupMember member_of(const InitRequest& request) {
  GroupMember member;
  member.rank = request.rank;
  if (request.ranks > 0) {
    member.group = request.group;
  }
  return member;
}

MpiDevice& MpiLane::device() {
  if (!device_) {
    throw Error(ErrorKind::internal, "the lane was asked to measure before it was initialised");
  }
  return *device_;
}

Reply MpiLane::Answer::operator()(const HelloRequest&) const {
  HelloReply reply;
  reply.pid = static_cast<int>(getpid());
  reply.cpus = current_cpus();
  return reply;
}

/// Nothing to agree on: the communicator is made from the one that MPI_Init gave.
Reply MpiLane::Answer::operator()(const MakeIdRequest&) const {
  return MakeIdReply{};
}

/// The launcher's binding is kept: it is part of what MPI's own job would get.
Reply MpiLane::Answer::operator()(const InitRequest& request) const {
  const auto start = std::chrono::steady_clock::now();
  lane.device_.reset();
  InitReply reply;
  reply.cpus = current_cpus();
  Communicator members = request.group < 0 ? Communicator(lane.comm_, deadline)
                                           : Communicator::of_group(lane.comm_, member_of(request));
  if (request.ranks > 0) {
    lane.device_ = std::make_unique<MpiDevice>(std::move(members), lane.place_.local_size);
    reply.free_bytes = lane.device_->device().memory.free_bytes();
  }
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

Reply MpiLane::Answer::operator()(const DescribeRequest& request) const {
  return describe_case(lane.device().device(), request.c, request.buffers, request.method);
}

Reply MpiLane::Answer::operator()(const OpenRequest& request) const {
  return lane.device().runner().open(request.spec);
}

Reply MpiLane::Answer::operator()(const BatchRequest& request) const {
  return lane.device().runner().run(request.spec);
}

Reply MpiLane::Answer::operator()(const CloseRequest&) const {
  lane.device().runner().close();
  return Done{};
}

Reply MpiLane::Answer::operator()(const QuitRequest&) const {
  lane.device_.reset();
  return Done{};
}

}  // namespace

std::unique_ptr<Lane> make_mpi_lane(std::string path,
                                    MPI_Comm comm,
                                    const MpiPlace& place,
                                    std::function<void(std::string)> on_hang) {
  return std::make_unique<MpiLane>(std::move(path), comm, place, std::move(on_hang));
}

}  // namespace viaduct
