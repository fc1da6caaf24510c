#include "worker/server.hpp"

#include "core/error.hpp"
#include "lane/frame.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <sys/socket.h>
#include <vector>

namespace viaduct {

namespace {

constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

/// One overload for each request.
class Answer {
 public:
  explicit Answer(WorkerEngine& engine) : engine_(engine) {}

  Reply operator()(const HelloRequest& request) const {
    if (request.version != protocol_version) {
      return Failure{
          ErrorKind::refused,
          fmt::format("viaduct-rank speaks protocol {} and viaduct-worker {}: install both "
                      "from one build",
                      request.version,
                      protocol_version)};
    }
    return engine_.hello(request);
  }

  Reply operator()(const MakeIdRequest& /*request*/) const { return engine_.make_id(); }

  Reply operator()(const InitRequest& request) const { return engine_.init(request); }

  Reply operator()(const DescribeRequest& request) const { return engine_.describe(request); }

  Reply operator()(const OpenRequest& request) const { return engine_.open(request.spec); }

  Reply operator()(const BatchRequest& request) const { return engine_.batch(request.spec); }

  Reply operator()(const CloseRequest& /*request*/) const {
    engine_.close_case();
    return Done{};
  }

  Reply operator()(const QuitRequest& /*request*/) const { return Done{}; }

 private:
  WorkerEngine& engine_;
};

/// A fault in one request must not end the worker: the rank decides what it means.
std::vector<std::uint8_t> answer_frame(WorkerEngine& engine, const Request& request) {
  Failure failure;
  try {
    return make_frame(encode(std::visit(Answer(engine), request)));
  } catch (const Error& error) {
    failure = Failure{error.kind(), error.message()};
  } catch (const std::exception& error) {
    failure = Failure{ErrorKind::internal, error.what()};
  } catch (...) {
    failure = Failure{ErrorKind::internal, "an exception of an unknown type"};
  }
  return make_frame(encode(Reply(failure)));
}

/// False when the rank does not listen any more.
bool send_all(int descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return false;
    }
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
  }
  return true;
}

/// Empty at end-of-file. Throws Error(lost) for bytes that are no request.
std::optional<Request> next_request(int descriptor, FrameReader& reader) {
  std::array<std::uint8_t, piece_bytes> piece{};
  while (true) {
    if (const auto document = reader.next()) {
      return decode_request(*document);
    }
    const ssize_t got = ::recv(descriptor, piece.data(), piece.size(), 0);
    if (got > 0) {
      reader.append(std::span(piece.data(), static_cast<std::size_t>(got)));
    } else if (got == 0 || errno != EINTR) {
      return std::nullopt;
    }
  }
}

}  // namespace

int serve(int descriptor, WorkerEngine& engine) {
  FrameReader reader;
  try {
    while (const auto request = next_request(descriptor, reader)) {
      if (!send_all(descriptor, answer_frame(engine, *request)) ||
          std::holds_alternative<QuitRequest>(*request)) {
        return 0;
      }
    }
  } catch (const Error& error) {
    const Failure failure{error.kind(), "the worker got no request: " + error.message()};
    send_all(descriptor, make_frame(encode(Reply(failure))));
    return 1;
  }
  return reader.pending_bytes() == 0 ? 0 : 1;
}

}  // namespace viaduct
