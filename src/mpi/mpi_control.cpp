#include "mpi/mpi_control.hpp"

#include "mpi/alarm_box.hpp"
#include "mpi/communicator.hpp"
#include "mpi/mpi_session.hpp"
#include "mpi/patient_wait.hpp"
#include "mpi/roll_call.hpp"

#include <fmt/format.h>

#include <limits>
#include <numeric>

namespace viaduct {

namespace {

constexpr double join_deadline_s = 60;
constexpr double roll_call_s = 2;  // ranks that wait for the same call give up at about one time
constexpr std::uint64_t longest_text = std::numeric_limits<int>::max();

/// A collective call under way and the memory that MPI reads and writes until it is done.
struct Call {
  MPI_Request request = MPI_REQUEST_NULL;
  std::string sent_text;
  std::string received_text;
  std::vector<double> sent_values;
  std::vector<double> received_values;
  std::uint64_t sent_length = 0;
  std::vector<std::uint64_t> received_lengths;
  std::vector<int> lengths;
  std::vector<int> places;
};

void refuse_long(std::uint64_t bytes) {
  if (bytes > longest_text) {
    throw Error(ErrorKind::internal,
                fmt::format("{} bytes of text are more than ranks exchange at once (at most {})",
                            bytes,
                            longest_text));
  }
}

/// Cuts the joined text of all ranks.
std::vector<std::string> cut(const Call& call) {
  std::vector<std::string> texts;
  texts.reserve(call.lengths.size());
  for (std::size_t i = 0; i < call.lengths.size(); ++i) {
    texts.push_back(call.received_text.substr(static_cast<std::size_t>(call.places[i]),
                                              static_cast<std::size_t>(call.lengths[i])));
  }
  return texts;
}

class MpiControl : public Control {
 public:
  MpiControl(MPI_Comm comm, std::function<int()> interrupted)
      : comm_(comm, Deadline::after(join_deadline_s)),
        interrupted_(std::move(interrupted)),
        alarms_(comm_.get(), comm_.rank(), comm_.size()),
        roll_call_(comm_.get(), comm_.rank(), comm_.size(), Deadline::after(join_deadline_s)) {}

  ~MpiControl() override;

  MpiControl(const MpiControl&) = delete;
  MpiControl& operator=(const MpiControl&) = delete;

  [[nodiscard]] int rank() const override { return comm_.rank(); }

  [[nodiscard]] int size() const override { return comm_.size(); }

  void barrier(Deadline deadline) override;
  std::string broadcast(const std::string& text, int root, Deadline deadline) override;
  std::vector<double> max(const std::vector<double>& values, Deadline deadline) override;
  std::vector<double> sum(const std::vector<double>& values, Deadline deadline) override;
  std::vector<std::string> gather(const std::string& text, int root, Deadline deadline) override;
  std::vector<std::string> all_gather(const std::string& text, Deadline deadline) override;

  void raise_alarm(std::uint64_t step) override { alarms_.raise(step); }

  bool alarm_raised(std::uint64_t step) override { return alarms_.is_raised(step); }

 private:
  /// Waits; when that is given up, keeps the memory that MPI may still touch.
  void finish(std::unique_ptr<Call>& call, Deadline deadline, const char* what);
  std::vector<double> reduce(const std::vector<double>& values, MPI_Op op, Deadline deadline);

  /// A call that knows where each rank's text goes in the joined text.
  std::unique_ptr<Call> exchange_lengths(const std::string& text, Deadline deadline);

  Communicator comm_;
  std::function<int()> interrupted_;
  AlarmBox alarms_;
  RollCall roll_call_;
  std::vector<std::unique_ptr<Call>> given_up_;
};

MpiControl::~MpiControl() {
  if (given_up_.empty()) {
    return;
  }
  comm_.abandon();
  for (auto& call : given_up_) {
    // MPI may write there until MPI_Finalize: the memory stays.
    static_cast<void>(call.release());
  }
}

void MpiControl::finish(std::unique_ptr<Call>& call, Deadline deadline, const char* what) {
  try {
    wait_patiently(call->request, deadline, interrupted_, what);
  } catch (const Error& error) {
    given_up_.push_back(std::move(call));
    if (error.kind() != ErrorKind::lost) {
      throw;
    }
    throw Error(ErrorKind::lost, error.message() + roll_call_.silent_ranks(roll_call_s));
  }
}

void MpiControl::barrier(Deadline deadline) {
  auto call = std::make_unique<Call>();
  check(MPI_Ibarrier(comm_.get(), &call->request), "MPI_Ibarrier");
  finish(call, deadline, "a barrier");
}

std::string MpiControl::broadcast(const std::string& text, int root, Deadline deadline) {
  auto call = std::make_unique<Call>();
  call->sent_length = text.size();
  check(MPI_Ibcast(&call->sent_length, 1, MPI_UINT64_T, root, comm_.get(), &call->request),
        "MPI_Ibcast");
  finish(call, deadline, "a broadcast");
  refuse_long(call->sent_length);
  call->sent_text = text;
  call->sent_text.resize(call->sent_length);
  check(MPI_Ibcast(call->sent_text.data(),
                   static_cast<int>(call->sent_length),
                   MPI_CHAR,
                   root,
                   comm_.get(),
                   &call->request),
        "MPI_Ibcast");
  finish(call, deadline, "a broadcast");
  return std::move(call->sent_text);
}

std::vector<double> MpiControl::reduce(const std::vector<double>& values,
                                       MPI_Op op,
                                       Deadline deadline) {
  auto call = std::make_unique<Call>();
  call->sent_values = values;
  call->received_values.resize(values.size());
  check(MPI_Iallreduce(call->sent_values.data(),
                       call->received_values.data(),
                       static_cast<int>(values.size()),
                       MPI_DOUBLE,
                       op,
                       comm_.get(),
                       &call->request),
        "MPI_Iallreduce");
  finish(call, deadline, "an agreement");
  return std::move(call->received_values);
}

std::vector<double> MpiControl::max(const std::vector<double>& values, Deadline deadline) {
  return reduce(values, MPI_MAX, deadline);
}

std::vector<double> MpiControl::sum(const std::vector<double>& values, Deadline deadline) {
  return reduce(values, MPI_SUM, deadline);
}

std::unique_ptr<Call> MpiControl::exchange_lengths(const std::string& text, Deadline deadline) {
  auto call = std::make_unique<Call>();
  call->sent_length = text.size();
  call->received_lengths.resize(static_cast<std::size_t>(size()));
  std::uint64_t* const lengths = call->received_lengths.data();
  check(MPI_Iallgather(&call->sent_length,
                       1,
                       MPI_UINT64_T,
                       lengths,
                       1,
                       MPI_UINT64_T,
                       comm_.get(),
                       &call->request),
        "MPI_Iallgather");
  finish(call, deadline, "an exchange of texts");
  // Every rank sees the same lengths, so all refuse or none.
  std::uint64_t total = 0;
  for (const std::uint64_t length : call->received_lengths) {
    refuse_long(length);
    call->places.push_back(static_cast<int>(total));
    call->lengths.push_back(static_cast<int>(length));
    total += length;
    refuse_long(total);
  }
  call->sent_text = text;
  return call;
}

std::vector<std::string> MpiControl::gather(const std::string& text, int root, Deadline deadline) {
  auto call = exchange_lengths(text, deadline);
  const bool is_root = rank() == root;
  if (is_root) {
    call->received_text.resize(
        std::accumulate(call->lengths.begin(), call->lengths.end(), std::size_t{0}));
  }
  check(MPI_Igatherv(call->sent_text.data(),
                     static_cast<int>(call->sent_text.size()),
                     MPI_CHAR,
                     call->received_text.data(),
                     call->lengths.data(),
                     call->places.data(),
                     MPI_CHAR,
                     root,
                     comm_.get(),
                     &call->request),
        "MPI_Igatherv");
  finish(call, deadline, "a gathering of texts");
  return is_root ? cut(*call) : std::vector<std::string>{};
}

std::vector<std::string> MpiControl::all_gather(const std::string& text, Deadline deadline) {
  auto call = exchange_lengths(text, deadline);
  call->received_text.resize(
      std::accumulate(call->lengths.begin(), call->lengths.end(), std::size_t{0}));
  check(MPI_Iallgatherv(call->sent_text.data(),
                        static_cast<int>(call->sent_text.size()),
                        MPI_CHAR,
                        call->received_text.data(),
                        call->lengths.data(),
                        call->places.data(),
                        MPI_CHAR,
                        comm_.get(),
                        &call->request),
        "MPI_Iallgatherv");
  finish(call, deadline, "an exchange of texts");
  return cut(*call);
}

}  // namespace

std::unique_ptr<Control> make_mpi_control(MPI_Comm comm, std::function<int()> interrupted) {
  return std::make_unique<MpiControl>(comm, std::move(interrupted));
}

}  // namespace viaduct
